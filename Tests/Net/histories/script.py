"""Writes a history that found something as a shell script, beside the contents that its inputs had."""

import os
import shlex
import shutil

HEAD = """#!/bin/bash
# History {seed}: what was done. `Scripts/net histories 1 {seed}` does the same, and checks it.
cd "$(dirname "$0")" && rm -rf play && mkdir play && cd play
export HISTORIES_FOLDER=$PWD HISTORIES_LOG=$PWD/../log
declare -A pid
begin() { # NAME ACTIONS SCHEDULED ARGUMENTS
    local name=$1 actions=$2 scheduled=$3; shift 3
    env LD_PRELOAD={library} ${actions:+HISTORIES_ACTIONS=$actions} ${scheduled:+HISTORIES_SCHEDULED=1} {sluice} "$@" & pid[$name]=$!
    [ -z "$scheduled" ] || settle $name
}
settle() { until [[ $(ps -o state= -p ${pid[$1]}) =~ ^(T|Z|)$ ]]; do sleep 0.01; done; }
proceed() { kill -CONT ${pid[$1]}; sleep 0.01; settle $1; }
"""


def text(history):
    lines = []
    for step in history.script:
        kind, rest = step[0], step[1:]
        if kind == "put":
            command = {"append": "cat ../versions/{1} >> {0}", "write_in_place": "cat ../versions/{1} > {0}",
                       "write_beside": "cp ../versions/{1} {0}.new; mv {0}.new {0}"}[rest[0]]
            lines.append(command.format(rest[1], rest[2]))
        elif kind == "run":
            name, actions, is_scheduled, arguments = rest
            lines.append(f"begin {name} '{actions}' '{1 if is_scheduled else ''}' " + " ".join(map(shlex.quote, arguments)))
        elif kind == "continue":
            lines.append(f"proceed {rest[0]}")
        elif kind == "signal":
            lines.append(f"kill -{rest[0]} ${{pid[{rest[1]}]}}")
        elif kind == "crash":
            lines.append("kill -KILL ${pid[@]} 2>/dev/null; wait")
            lines.append(f"python3 $HISTORIES/crash.py . ../log {rest[0]}    # undid a part of {', '.join(rest[1]) or 'nothing'}")
        elif kind == "ended":
            lines.append(f"# {rest[0]} ended with {rest[1]}" + (": " + rest[2].replace("\n", "\n#   ") if rest[2] else ""))
        else:
            lines.append("# " + " ".join(map(str, step)))
    return "\n".join(lines)


def keep(history, tools, folder):
    """Keeps the script, the inputs' contents and the end state. Returns the script's path."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(folder, "versions"))
    shutil.copytree(tools.folder, os.path.join(folder, "end"))
    for number, data in enumerate(history.versions):
        with open(os.path.join(folder, "versions", str(number)), "wb") as file:
            file.write(data)
    path = os.path.join(folder, "repeat.sh")
    head = HEAD.replace("{seed}", str(history.seed)).replace("{sluice}", tools.sluice).replace("{library}", tools.library)
    with open(path, "w", encoding="utf-8") as file:
        file.write(head + f"export HISTORIES={os.path.dirname(os.path.abspath(__file__))}\n" + text(history) + "\n")
    os.chmod(path, 0o755)
    return path
