-- What a run of `ingest --pk id --upsert --rejects FILE --changes changed` has left in layout 2, when it was killed after 3 of 5 lines. INPUT
-- and REJECTS are the paths of the input and of the file of rejects, to which it still owes a line.
INSERT INTO _sluice_checkpoints
    (table_name, input, byte_offset, records, rejected, is_complete, sequence, checkpoint, state, is_held, layout, run)
VALUES ('t', 'INPUT', 38, 3, 1, FALSE, 7,
    '{"feedSize":83,"headSize":38,"tail":{"hash":468021091194614085,"size":38},"headHash":10554397250570008114,"path":"","line":4,"standing":{"levels":[],"hasWholeDocument":false,"isRecovering":false,"hasMatched":false,"hasDocument":false,"place":"outside","arrayStart":[0,1,1]},"column":1,"version":1,"format":"lines","recordIndex":3,"offset":38}',
    '{"columns":[{"name":"id","type":"integer","path":["id"],"tolerant":true},{"name":"a","type":"text","path":["a"],"tolerant":true},{"name":"late","type":"real","path":["late"],"tolerant":true}],"signature":"[] [] automatic false  ","passed_over":0,"cut_off":{"file":"in.ndjson","offsets":[],"kinds":[],"digests":[]}}',
    TRUE, 2, '{"id":"3e8a2971b623fcf8","host":"vm","space":"pid:[4026531836]","boot":"bb8ab2e8-8826-401a-84e7-d2b354a615f3","process":16559,"birth":2781878,"started":"2026-11-28T17:53:49Z"}'),
('', 'rejects:3e8a2971b623fcf8', 0, 0, 0, FALSE, 0, 'REJECTS', '{"start":0,"lines":"{\"file\":\"in.ndjson\",\"line\":2,\"line_byte_position\":17,\"byte_position\":17,\"column_name\":null,\"error_type\":\"syntax\",\"json_line\":\"bad\",\"error_message\":\"invalid JSON (line 2, column 1, byte 17): expected a value, found the word \\\"bad\\\"; text stands in double quotes\\nbad\\n^\"}\n","removed":[]}', FALSE, 2, '');
INSERT INTO _sluice_memory VALUES ('t', '{"version":1,"columns":[{"name":"id","type":"integer","path":["id"],"tolerant":true},{"name":"a","type":"text","path":["a"],"tolerant":true},{"name":"late","type":"real","path":["late"],"tolerant":true}],"children":[]}');
CREATE TABLE t (id bigint PRIMARY KEY, a text, late double precision);
INSERT INTO t VALUES (1, 'x', NULL), (2, 'y', NULL);
INSERT INTO changed (table_name, key, operation, changed_at, file, line, byte_position, patch) VALUES
    ('t', '{"id":1}', 'added', '2026-11-28T17:53:49.784Z', 'in.ndjson', 1, 0, '{"id":1,"a":"x"}'),
    ('t', '{"id":2}', 'added', '2026-11-28T17:53:49.784Z', 'in.ndjson', 3, 21, '{"id":2,"a":"y"}');
