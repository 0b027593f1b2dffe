import sys, tempfile, time
from concurrent.futures import ThreadPoolExecutor
from tests.server.real import ServerProcess
from tests.server.attacks import ATTACKS, running, ping_table, fetch_page
from tests.server.deaf import memory


def p(xs, q):
    xs = sorted(xs) or [float("nan")]
    return xs[min(len(xs) - 1, int(q * len(xs)))] * 1000


if __name__ == "__main__":
    names = sys.argv[2:] or list(ATTACKS)
    secs = float(sys.argv[1])
    for name in names:
        with (
            tempfile.TemporaryDirectory() as d,
            ServerProcess(d + "/x.db", thinkers=0, limited=True, log=d + "/log") as s,
            ThreadPoolExecutor(3) as pool,
        ):
            pid = s.process.pid
            quiet = ping_table(s.url, 3, 0.07)
            pings = pool.submit(ping_table, s.url, secs, 0.07)
            time.sleep(0.5)
            most = m0 = memory(pid)
            with running(name, s.url, secs - 2) as a:
                time.sleep(1)
                pages = pool.submit(fetch_page, s.url, secs - 3, 5)
                while not pages.done():
                    time.sleep(0.2)
                    most = max(most, memory(pid))
                try:
                    beside = pings.result()
                except Exception as e:
                    beside = [float("nan")]
                    print("ping failed", repr(e))
                found, failed = pages.result()
                try:
                    r = a.report()
                except Exception as e:
                    r = repr(e)
            print(
                f"{name}: quiet p50 {p(quiet, 0.5):.1f} p99 {p(quiet, 0.99):.1f}; beside p50 {p(beside, 0.5):.1f} p99 {p(beside, 0.99):.1f} max {p(beside, 1):.1f} n {len(beside)}; pages p99 {p(found, 0.99):.1f} failed {failed}/{failed + len(found)}; mem +{(most - m0) / 1e6:.0f} MB; {r}"[
                    :700
                ],
                flush=True,
            )
            log = open(d + "/log").read()
            print("   log lines", len(log.splitlines()), log[-300:].replace("\n", " | "))
