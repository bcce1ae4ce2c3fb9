"""The one partition dimension: a batch.

Belongs here: its definition. Does not belong here: how a new batch becomes a partition (pipelines/sensors).
"""

import dagster as dg

BATCHES = dg.DynamicPartitionsDefinition(name="batches")
