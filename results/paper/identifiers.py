"""Where the cited works are found: DOI or address, and what their entries lack otherwise."""

from collections.abc import Mapping

_DOIS: Mapping[str, str] = {
    "angelopoulos2023": "10.1126/science.adi6000",
    "angelopoulos2023ppi": "10.48550/arXiv.2311.01453",
    "belz2022": "10.18653/v1/2022.acl-long.2",
    "benjamini2001": "10.1214/aos/1013699998",
    "bland1986": "10.1016/S0140-6736(86)90837-8",
    "bonett2000": "10.1007/BF02294183",
    "bradley1952": "10.1093/biomet/39.3-4.324",
    "brennan2001": "10.1007/978-1-4757-3456-0",
    "brier1950": "10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2",
    "byrt1993": "10.1016/0895-4356(93)90018-V",
    "calderon2025": "10.18653/v1/2025.acl-long.782",
    "cameron2011": "10.1198/jbes.2010.07136",
    "clark1973": "10.1016/S0022-5371(73)80014-3",
    "cohen1960": "10.1177/001316446002000104",
    "cohen1968": "10.1037/h0026256",
    "dawid1979": "10.2307/2346806",
    "efron1979": "10.1214/aos/1176344552",
    "fleiss1971": "10.1037/h0031619",
    "friedman1937": "10.1080/01621459.1937.10503522",
    "gwet2008": "10.1348/000711006X126600",
    "honovich2022": "10.18653/v1/2022.naacl-main.287",
    "jaccard1912": "10.1111/j.1469-8137.1912.tb05611.x",
    "kendall1939": "10.1214/aoms/1177732186",
    "kendall1945": "10.1093/biomet/33.3.239",
    "kim2024": "10.18653/v1/2024.emnlp-main.248",
    "kiritchenko2017": "10.18653/v1/P17-2074",
    "lai1976": "10.1214/aos/1176343406",
    "liang1986": "10.1093/biomet/73.1.13",
    "liu2023": "10.18653/v1/2023.emnlp-main.153",
    "mackinnon2023": "10.1002/jae.2969",
    "mcgraw1996": "10.1037/1082-989X.1.1.30",
    "naeini2015": "10.1609/aaai.v29i1.9602",
    "newcombe1998": "10.1002/(SICI)1097-0258(19981130)17:22<2635::AID-SIM954>3.0.CO;2-C",
    "nili2014": "10.1371/journal.pcbi.1003553",
    "pearson1896": "10.1098/rsta.1896.0007",
    "rogan1978": "10.1093/oxfordjournals.aje.a112510",
    "satterthwaite1946": "10.2307/3002019",
    "schuirmann1987": "10.1007/BF01068419",
    "shannon1948": "10.1002/j.1538-7305.1948.tb01338.x",
    "shrout1979": "10.1037/0033-2909.86.2.420",
    "spearman1904": "10.2307/1412159",
    "wang2025": "10.48550/arXiv.2310.03722",
    "waudbysmith2024": "10.1093/jrsssb/qkad009",
    "waudbysmith2024limit": "10.1214/24-AOS2408",
    "wilcoxon1945": "10.2307/3001968",
    "wilson1927": "10.1080/01621459.1927.10502953",
    "xing2025": "10.18653/v1/2025.naacl-long.282",
    "yerushalmy1947": "10.2307/4586294",
    "zhong2022": "10.18653/v1/2022.emnlp-main.131",
}
# Of works without a DOI.
_ADDRESSES: Mapping[str, str] = {
    "demsar2006": "https://jmlr.org/papers/v7/demsar06a.html",
    "holm1979": "https://www.jstor.org/stable/4615733",
    "kemeny1959": "https://www.jstor.org/stable/20026529",
    "krippendorff2011": "https://repository.upenn.edu/asc_papers/43",
    "minka2001": "https://arxiv.org/abs/1301.2294",
    "passonneau2006": "https://aclanthology.org/L06-1392/",
}
# Of papers in proceedings; an article number where a journal has no pages.
_PAGES: Mapping[str, str] = {
    "belz2022": "16–28",
    "calderon2025": "16051–16081",
    "honovich2022": "3905–3920",
    "kim2024": "4334–4353",
    "kiritchenko2017": "465–470",
    "liu2023": "2511–2522",
    "minka2001": "362–369",
    "naeini2015": "2901–2907",
    "nili2014": "e1003553",
    "passonneau2006": "831–836",
    "xing2025": "5475–5496",
    "zhong2022": "2023–2038",
}


def whereabouts(key: str) -> dict[str, str]:
    """The fields of BibTeX that say where a work is found; empty for a work that has neither."""
    named = {"pages": _PAGES, "doi": _DOIS, "url": _ADDRESSES}
    return {field: of[key] for field, of in named.items() if key in of}
