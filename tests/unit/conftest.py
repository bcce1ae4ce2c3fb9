"""Settings of the property tests: no deadline, because how long an example takes says nothing about the code."""

from hypothesis import settings

settings.register_profile("sluicegate", deadline=None)
settings.load_profile("sluicegate")
