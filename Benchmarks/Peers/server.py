"""Requests a second of one server with two coders, by wrk, in interleaved rounds: server.py SERVER FOLDER SECONDS ROUNDS prints a table."""

import json
import os
import re
import statistics
import subprocess
import sys
import urllib.request

CODERS = ["sluice", "foundation"]
# A title, the method and the path.
LANES = [("encode a page", "GET", "/orders"), ("decode a page", "POST", "/orders"), ("decode and encode a page", "POST", "/echo")]
UNITS = {"us": 0.001, "ms": 1, "s": 1000}


def wrk(url, script, seconds):
    """Requests a second, and the 99th percentile of the latency in milliseconds."""
    text = subprocess.run(["wrk", "-t1", "-c16", f"-d{seconds}s", "--latency", *(["-s", script] if script else []), url],
                          capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in text or "Socket errors" in text:
        sys.exit(f"{url}: {text}")
    percentile = re.search(r"99%\s+([\d.]+)(us|ms|s)", text)
    return float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]), float(percentile[1]) * UNITS[percentile[2]]


def main():
    server, folder, seconds, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    servers = {coder: subprocess.Popen([server, coder], stdout=subprocess.PIPE, text=True) for coder in CODERS}
    try:
        urls = {coder: f"http://127.0.0.1:{int(process.stdout.readline())}" for coder, process in servers.items()}
        measure(urls, folder, seconds, rounds)
    finally:
        for process in servers.values():
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def measure(urls, folder, seconds, rounds):
    page = urllib.request.urlopen(urls["foundation"] + "/orders").read()
    for method, path in [lane[1:] for lane in LANES]:
        answers = [urllib.request.urlopen(urllib.request.Request(url + path, page if method == "POST" else None)).read()
                   for url in urls.values()]
        if len({json.dumps(json.loads(answer), sort_keys=True) for answer in answers}) != 1:
            sys.exit(f"{method} {path}: the two servers answer differently")
    script = os.path.join(folder, "post.lua")
    body = page.decode().replace("]]", "] ]")
    with open(script, "w", encoding="utf-8") as file:
        file.write(f'wrk.method = "POST"\nwrk.headers["Content-Type"] = "application/json"\nwrk.body = [[{body}]]\n')
    samples = {}
    for number in range(rounds + 1):
        for title, method, path in LANES:
            for coder in CODERS:
                sample = wrk(urls[coder] + path, script if method == "POST" else None, seconds if number else 1)
                # The first round warms up.
                if number:
                    samples.setdefault((title, coder), []).append(sample)
    print(f"# Hummingbird with Sluice's coder and with Foundation's, a page of {len(page):,} bytes, {rounds} rounds of {seconds} s\n")
    print("`wrk -t1 -c16` on the same machine: medians of requests a second, and of the 99th percentile of the latency.\n")
    print("| work | Sluice, requests/s | Foundation, requests/s | ratio | Sluice, 99 %, ms | Foundation, 99 %, ms |")
    print("|---|---:|---:|---:|---:|---:|")
    for title, _, _ in LANES:
        (own, own_latency), (other, other_latency) = [
            [statistics.median(column) for column in zip(*samples[title, coder])] for coder in CODERS]
        print(f"| {title} | {own:,.0f} | {other:,.0f} | {own / other:.2f} | {own_latency:.1f} | {other_latency:.1f} |")


main()
