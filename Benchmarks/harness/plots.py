"""The curves as SVG. matplotlib is imported only here, and late: its memory would count in the measured programs."""

from .report import costs


def draw_curves(results, folder, title):
    """Writes curve-records.svg and curve-devices.svg, if there are points."""
    try:
        import matplotlib  # noqa: PLC0415
        matplotlib.use("svg")
        from matplotlib import pyplot  # noqa: PLC0415
    except ImportError:
        if results.select(part="curve-records"):
            results.note("Without plots: matplotlib is missing (python3 -m pip install matplotlib).")
        return
    matplotlib.rcParams["svg.hashsalt"] = "pushpipe"  # the same file for the same rows
    matplotlib.rcParams["svg.fonttype"] = "none"  # text, not outlines: a fifth of the size
    for part, member in (("curve-records", "records"), ("curve-devices", "devices")):
        names = dict.fromkeys(row.program for row in results.select(part=part, workload="uniform"))
        if not names:
            continue
        figure, axes = pyplot.subplots(figsize=(7, 4))
        for name in names:
            points = costs(results, part, name, member)
            axes.plot(list(points), list(points.values()), marker="o", label=name)
        axes.set_xscale("log")
        axes.set_ylim(bottom=0)
        axes.set_xlabel(member)
        axes.set_ylabel("ns per record, minus the time for empty input")
        axes.set_title(title, fontsize=7)
        axes.grid(alpha=0.3)
        axes.legend()
        figure.tight_layout()
        figure.savefig(folder / f"{part}.svg", metadata={"Date": None})
        pyplot.close(figure)
