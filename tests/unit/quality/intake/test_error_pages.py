"""Titles of pages that are no work, beside works that look like them."""

import pytest

from quality.intake.error_pages import is_error_page


@pytest.mark.parametrize(
    "title",
    [
        "Error",
        "ERROR 404",
        "404",
        "404 - Not Found",
        "404 Not Found | Nature",
        "Page not found",
        "Page Not Found - The Daily",
        "403 Forbidden",
        "Access Denied",
        "Just a moment…",
        "Attention Required! | Cloudflare",
        "502 Bad Gateway",
        "301 Moved Permanently",
        "Untitled",
        "Untitled Document",
        "Checking your browser before accessing example.test.",
        "Are you a robot?",
        "页面不存在",
        "访问被拒绝",
        "安全验证",
        "N/A",
        "null",
    ],
)
def test_error_pages(title):
    assert is_error_page(title)


@pytest.mark.parametrize(
    "title",
    [
        "Error correction below the surface code threshold",
        "Errors in the Measurement of Tides",
        "Access Denied: The Practice of Internet Filtering",
        "Error | A Novel",
        "Untitled - axa (AXA SFCR 2024)",
        "Found",
        "Gone",
        "404 Days at Sea",
        "300",
        "1984",
        "451",
        "A Moment Before Sunrise",
        "Please Wait for Me",
        "Loading Docks of the Adriatic",
        "验证码技术综述",
        "人机验证技术的发展",
        "",
    ],
)
def test_works(title):
    assert not is_error_page(title)
