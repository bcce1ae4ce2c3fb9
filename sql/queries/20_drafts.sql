-- description: How did the drafts of our own loop end, in how many rounds, and what kept the unverified ones from it?
SELECT batch_id, lead_id, end_state, n_rounds,
    list_aggregate(
        list_sort(list_distinct(json_extract_string(open_objections, '$[*].rule'))), 'string_agg', ', '
    ) AS open_rules
FROM drafts
ORDER BY batch_id, ordinal
