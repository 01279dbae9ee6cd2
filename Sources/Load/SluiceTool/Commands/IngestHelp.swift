// The text of `sluice ingest --help` besides its options.

#if CommandLine
internal import SluiceIngest

/// The discussion of `sluice ingest`.
enum IngestHelp {
    static let text = """
        Memory does not depend on the length of the feeds. If the exit code is 0, all of the input is in the output.

        COLUMNS
          Without --column, columns are inferred from the first records. Nested
          objects are flattened (actor.id becomes actor_id). Arrays and values
          of mixed shape become JSON text, integers and fractions together
          become real, other mixtures of scalars become text, and so does a key
          that is always null. Dates are stored as text, unless a column is
          declared as date. A later value of another type is stored unchanged,
          and the report counts it. A missing key or null is NULL in every
          column.

          With --column or --type a column is strict: a record with a value of
          another type is rejected, with the reason.
            name:type           the value of the key of that name
            name:type=key.path  the value at a path of keys, such as
                                who:text=actor.login or tag:text=tags[0]
          Types: integer; real; text (takes any scalar); bool, stored as 0 or 1;
          date, stored as ISO 8601 in UTC; json, any value as its own text.

        SELECTING RECORDS (--where)
          A condition names paths or declared columns, and has =, !=, <, <=, >,
          >=, in (...), exists, and, or, not and parentheses. As in SQL, a
          comparison with null is not true.
            type = 'PushEvent' and (size >= 3 or exists actor.login)
            id in (1, 2, 3) or not state = 'closed'

        KEYS WITHOUT A COLUMN (--contract)
          evolve         the key gets a column; the default where columns are
                         inferred
          report         its values are left out, counted and named; exit code 2
          freeze         the run ends with an error that names it; exit code 5
          discard-row    the record is left out
          discard-value  the value is left out; the default with --column
          With --overflow, values that no other column takes are stored there,
          as one JSON object. --upsert replaces this object as a whole.

        SENSITIVE VALUES (--sensitive)
          Reports and the reasons of rejected records do not show values of
          these columns, named by column or path; a path of an object covers
          all that is inside. Rejected records are stored as they are.

        EXISTING TABLES
          If the table exists, the run ends with an error, unless --append,
          --truncate or --drop says what to do. With a key, --upsert merges
          (columns that the record lacks keep their values), --ignore keeps the
          row, and --replace replaces it.

        WHAT CHANGED (--changes, --missing)
          An equal row is not written, and counted as the same. --changes stores
          for each row that is added, changed or removed its key and the
          difference, as a JSON Merge Patch. With --missing, the inputs are a
          complete snapshot: rows that they lack get the time in the column
          _missing_since (mark), or are removed (delete), at the end, and only
          if all inputs were read to their end without a rejection.

        LOGS (--rotated, --follow)
          With --rotated, files that were renamed, copied, truncated, moved
          (--rotated-to) or compressed are known by their text, and each line is
          read once. A last line without a line break waits until its file is
          compressed, or has not changed for --settle and is not the newest.
          With --follow, the run goes on as logs grow, appear and are rotated;
          SIGINT and SIGTERM end it after a commit, with 0 or 2. If a server is
          down or a disk is full, it says so once and tries again. What was lost
          before it could be read is named, with exit code 2.

        WHAT OPERATORS WATCH (--metrics, --report-every)
          --metrics writes the figures of the run into a file after each batch
          and at the end: bytes, records, rows, rejections by kind, values of
          each column, bytes of each input that are left. The textfile collector
          of Prometheus' node_exporter reads it. If the file cannot be written
          later on, that is said once, and the exit code stays. With --report
          json, --report-every prints such figures as a line whose outcome is
          "running"; the report is the last line. sluice status shows how far
          inputs have been read.

        WHERE ROWS COME FROM (--provenance)
          Each row gets the input, the line and the byte of its record, and a
          digest of the record's text. A row that a later record changes gets
          the place of that record; a row that stays the same keeps its own.
          Child tables have the places of elements. With --provenance-table,
          the places are in a table beside the rows, named by their key.
          sluice locate prints the record of a row.

        SAFETY
          Each batch is one transaction, and the checkpoint of each input is
          part of it (table _sluice_checkpoints). After a crash, run the same
          command again: each record is there exactly once. If an input is
          complete, nothing is done; if it has grown, the rest is read; if its
          beginning has changed, it is refused, and --restart reads it from the
          start. A range of a file (--range) is an input of its own. Standard
          input and pipes have no checkpoints. SIGINT and SIGTERM end the run
          after the current record; what was read is stored and reported. A
          second signal of the same kind ends it at once.

          Of two runs that read one input at the same time, only one stores
          its records; the other ends with exit code 3, or waits with --wait.
          --restart, --drop and --truncate then change nothing. Runs of
          different inputs may write into one table.

        EXAMPLES
          sluice ingest events.ndjson events.db
          sluice ingest logs/ 'more/*.ndjson' -o logs.db --filename
          sluice ingest users.ndjson users.db --pk id --upsert
          curl -s https://example.com/page.json | sluice ingest --at data.items - pages.db
          sluice ingest events.ndjson events.db --rejects bad_records
          sluice ingest --follow /var/log/app -o logs.db --append
          sluice ingest events.ndjson events.db \\
            --column id:integer --column who:text=actor.login

        EXIT CODES
          0         all of the input is in the output
          2         records were rejected, now or by earlier runs, values were
                    left out, missing rows were not looked for, the table's types changed digits, or no record
                    has a path of --column, --type or --where, but a similar
                    one; everything else is stored. Or no record has a key.
                    Or a part of a rotated log was lost, or is not read
          3         an input or the database could not be opened, read or
                    written, another run is reading the input, the table is
                    there already, an input is not the one that an earlier
                    run has read, or the report could not be printed
          4         more records were rejected than --max-errors or
                    --max-error-ratio allows
          5         a record has a key that --contract freeze forbids
          64        the command line is wrong
          130, 143  ended by SIGINT, SIGTERM
        """
}
#endif
