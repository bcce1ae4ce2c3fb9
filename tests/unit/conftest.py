"""Settings of the property tests: no deadline, as the time of one example says nothing about the code."""

from hypothesis import settings

settings.register_profile("sluicegate", deadline=None)
settings.load_profile("sluicegate")
