-- description: Which documents of the knowledge base mention a word?
SELECT k.document_id, k.title, length(b.body) AS characters
FROM kb_documents k
JOIN report_bodies b ON b.batch_id = k.batch_id AND b.report_id = k.report_id AND b.stage = 'rebuilt'
WHERE b.body ILIKE '%sediment%'
ORDER BY k.document_id
