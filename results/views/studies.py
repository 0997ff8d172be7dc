"""A study beside another one, and the size of the next."""

from collections.abc import Sequence

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from annotation.access import Role, account, get_study, may
from annotation.models import Study
from annotation.views.downloads import as_download
from estimates.report.newest import newest_report
from results.reading.planned_tests import planned_tests
from results.studies.comparison import compare_reports
from results.studies.plan import plan
from results.studies.replacement_sizes import replacement_sizes
from results.studies.savings import savings_of
from results.studies.sharing import said_of_study
from results.studies.tables import NamedGrid, grids_of
from results.tables.formats import TABLES
from results.tables.origin import Origin, origin_of_two
from results.views.dashboard import still_counting
from results.views.forms import PlanningForm
from results.views.stopping import stopping_of


@login_required
@require_GET
def choose(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirects a form that names the other study to their comparison, also without JavaScript."""
    study = get_study(request.user, slug)
    other = request.GET.get("other", "")
    if other:
        there = get_study(request.user, other)
        return HttpResponseRedirect(reverse("results:against", args=[slug, there.slug]))
    others = Study.objects.filter(members__user=account(request)).exclude(pk=study.pk)
    shown = {
        "study": study,
        "others": others.order_by("title").values("slug", "title"),
    }
    return render(request, "results/choose_against.html", shown)


@login_required
@require_GET
def against(request: HttpRequest, slug: str, other: str) -> HttpResponse:
    """Two studies side by side, for a member of both."""
    study, there = get_study(request.user, slug), get_study(request.user, other)
    reports = newest_report(study), newest_report(there)
    if reports[0] is None or reports[1] is None:
        return still_counting(request, study if reports[0] is None else there)
    reproduction = compare_reports(reports[0], reports[1])
    grids = grids_of(reproduction)
    if "format" in request.GET:
        return _download(request, grids, f"{slug}-{other}", origin_of_two(reports[0], reports[1]))
    return render(
        request,
        "results/against.html",
        {
            "study": study,
            "other": there,
            "found": reproduction,
            "grids": grids,
            "reports": reports,
        },
    )


def _download(
    request: HttpRequest, grids: Sequence[NamedGrid], name: str, origin: Origin
) -> HttpResponse:
    """One of the page's tables as a file."""
    wanted, key = request.GET["format"], request.GET.get("panel", "")
    grid = next((named.grid for named in grids if named.key == key), None)
    if grid is None or wanted not in TABLES:
        raise Http404("No such table.")
    form = TABLES[wanted]
    answer = HttpResponse(form.write(grid, origin), content_type=form.kind)
    return as_download(answer, f"{name}-{key}-{origin.tag}.{wanted}")


@login_required
@require_GET
def planning(request: HttpRequest, slug: str) -> HttpResponse:
    """How many units and raters the next study needs; asked by a form that changes nothing."""
    study = get_study(request.user, slug)
    facets = [facet for block in study.blocks.all() for facet in block.facets]
    parameters = request.GET if "width" in request.GET else None
    rounds = list(study.rounds.order_by("position").values_list("name", flat=True))
    carried = {"facet": request.GET.get("facet", "")}
    form = PlanningForm(parameters, facets=facets, rounds=rounds, initial=carried)
    shown: dict[str, object] = {
        "study": study,
        "form": form,
        "may_edit": may(request.user, study, Role.EDITOR),
        "said": said_of_study(study),
        **stopping_of(study),
    }
    report = newest_report(study)
    asked = parameters is not None and form.is_valid()
    if asked:
        shown["plan"] = plan(study, report, form.wish)
    if report is not None:
        shown["savings"] = savings_of(report, form.wish.facet) if asked else []
        titles = {facet.name: facet.title for facet in facets}
        sizes = (planned_tests(report.rows), replacement_sizes(report.rows, study.epsilon))
        shown["differences"], shown["replacements"] = (
            [(titles.get(each.facet, each.facet), each) for each in of_a_kind]
            for of_a_kind in sizes
        )
    return render(request, "results/planning.html", shown)
