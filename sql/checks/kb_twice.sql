-- description: A document stands once in the knowledge base.
SELECT document_id, count(*) AS n FROM kb_entries GROUP BY ALL HAVING count(*) > 1
