"""The curves as SVG. matplotlib is imported only here, and late: its memory would count in the measured programs."""

from .report import CURVES, costs, scaling


def draw_curves(results, folder, title):
    """Writes curve-records.svg, curve-devices.svg, store-curve.svg and jobs.svg, if there are points."""
    try:
        import matplotlib  # noqa: PLC0415
        matplotlib.use("svg")
        from matplotlib import pyplot  # noqa: PLC0415
    except ImportError:
        if results.rows:
            results.note("Without plots: matplotlib is missing (python3 -m pip install matplotlib).")
        return
    matplotlib.rcParams["svg.hashsalt"] = "pushpipe"  # the same file for the same rows
    matplotlib.rcParams["svg.fonttype"] = "none"  # text, not outlines: a fifth of the size
    for part, member, store in CURVES:
        names = dict.fromkeys(row.program for row in results.select(part=part) if row.records)
        curves = {name: costs(results, part, name, member) for name in names}
        draw(pyplot, folder / f"{part}.svg", curves, title, member, f"ns per record, {store}")
    counts = sorted({int(row.program.split()[-1]) for row in results.select(part="jobs")})
    if len(counts) > 1:
        curves = {"pushpipe": {jobs: scaling(results, jobs) for jobs in counts}, "ideal": {jobs: jobs for jobs in counts}}
        draw(pyplot, folder / "jobs.svg", curves, title, "cores", "times as fast as one core")


def draw(pyplot, path, curves, title, horizontal, vertical):
    """A curve per name, over a logarithmic axis. Each is a dictionary of points."""
    if not any(curves.values()):
        return
    figure, axes = pyplot.subplots(figsize=(7, 4))
    for name, points in curves.items():
        axes.plot(list(points), list(points.values()), marker="o", label=name)
    axes.set_xscale("log", base=2 if horizontal == "cores" else 10)
    axes.set_ylim(bottom=0)
    axes.set_xlabel(horizontal)
    axes.set_ylabel(vertical)
    axes.set_title(title, fontsize=7)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
