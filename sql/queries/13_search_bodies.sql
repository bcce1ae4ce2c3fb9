-- description: Which documents of the knowledge base mention a word?
SELECT k.document_id, k.title, length(b.body) AS characters
FROM kb_documents k
JOIN kb_bodies b USING (document_id)
WHERE b.body ILIKE '%sediment%'
ORDER BY k.document_id
