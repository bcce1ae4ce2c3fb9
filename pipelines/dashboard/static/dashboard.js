// Draws the charts in the scheme of the day, and lets the table of decisions be sorted and filtered. No network.
(() => {
  "use strict";

  const specs = JSON.parse(document.getElementById("charts").textContent);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const views = new Map();

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  // "var(--name)" becomes the colour of that name, except in the data and in the names of batches
  const themed = (value, key) => {
    if (key === "datasets" || key === "domain" || key === "sort") return value;
    if (typeof value === "string") return value.startsWith("var(--") ? colour(value.slice(4, -1)) : value;
    if (Array.isArray(value)) return value.map((item) => themed(item));
    if (value && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, themed(v, k)]));
    }
    return value;
  };

  const config = () => ({
    background: "transparent",
    font: "system-ui, sans-serif",
    view: { stroke: null },
    axis: {
      labelColor: colour("--ink"), titleColor: colour("--muted"), gridColor: colour("--grid"),
      domainColor: colour("--line"), tickColor: colour("--line"), labelFontSize: 11, titleFontSize: 11,
      titleFontWeight: "normal",
    },
    axisX: { grid: false },
  });

  const draw = async (figure) => {
    const id = figure.dataset.chart;
    views.get(id)?.finalize();
    const { autosize, ...spec } = themed(specs[id]);
    const made = await window.vegaEmbed(figure, { ...spec, autosize: { type: "fit-x", contains: "padding", resize: true } }, {
      mode: "vega-lite", renderer: "svg", ast: true, actions: false, defaultStyle: false,
      tooltip: { disableDefaultStyle: true, theme: "page" }, config: config(),
    });
    views.set(id, made);
  };

  const drawAll = () => Promise.all([...document.querySelectorAll("[data-chart]")].map(draw))
    .then(() => { document.documentElement.dataset.drawn = dark.matches ? "dark" : "light"; });
  drawAll();
  dark.addEventListener("change", drawAll);

  const table = document.getElementById("decisions-table");
  if (!table) return;
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const count = document.getElementById("decisions-count");
  const search = document.getElementById("filter-text");
  const selects = [...document.querySelectorAll("select[data-filter]")];
  const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const fits = words.every((word) => texts.get(row).includes(word))
        && selects.every((s) => !s.value || row.dataset[s.dataset.filter].split("\n").includes(s.value));
      row.hidden = !fits;
      shown += fits;
    }
    count.textContent = `${shown} of ${rows.length} rows shown`;
  };
  search.addEventListener("input", filter);
  selects.forEach((select) => select.addEventListener("change", filter));

  const keyOf = (row, column) => row.cells[column].dataset.sort ?? "";
  // a value that is absent or unknown has no key: it stays last in both directions
  const sort = (column, direction, numeric) => {
    const compared = (a, b) => {
      const [x, y] = [keyOf(a, column), keyOf(b, column)];
      if (x === "" || y === "") return (x === "") - (y === "");
      return direction * (numeric ? Number(x) - Number(y) : x.localeCompare(y));
    };
    body.append(...rows.slice().sort(compared));
  };
  table.tHead.querySelectorAll("button").forEach((button) => button.addEventListener("click", () => {
    const head = button.closest("th");
    const rising = head.getAttribute("aria-sort") !== "ascending";
    table.tHead.querySelectorAll("th").forEach((th) => th.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", rising ? "ascending" : "descending");
    sort(head.cellIndex, rising ? 1 : -1, head.classList.contains("number"));
  }));
  document.querySelector(".filters").hidden = false;
  filter();
})();
