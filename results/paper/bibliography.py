"""References of the statistics and methods, as data, and as BibTeX.

The docstrings of `agreement` and of the judge methods name the same works.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from judges.runs.provenance import code_version
from results.paper.identifiers import whereabouts
from results.tables.latex import escaped

# Fields that programs read: nothing in them is escaped.
AS_THEY_ARE = ("doi", "url")


@dataclass(frozen=True)
class CitedWork:
    """A work. kind: of BibTeX, such as article. fields: in their order, as plain text."""

    key: str
    kind: str
    fields: Mapping[str, str]

    def as_bibtex(self) -> str:
        """The entry; its title, and an author who is no person, stay as they are written."""
        lines = [f"  {name} = {{{self._value(name)}}}" for name in self.fields]
        return f"@{self.kind}{{{self.key},\n" + ",\n".join(lines) + "\n}\n"

    def _value(self, name: str) -> str:
        if name in AS_THEY_ARE:
            return self.fields[name]
        text = escaped(self.fields[name])
        if name == "pages":
            return text.replace("–", "--")
        whole = name == "title" or (name == "author" and ", " not in text)
        return f"{{{text}}}" if whole else text


def as_bibtex(keys: Iterable[str], *, year: int) -> str:
    """These works as a file, each once, in the order of their keys. year: of the figures, which is
    that of the program's entry."""
    entries = {**ENTRIES, PROGRAM: program(year)}
    return "\n".join(entries[key].as_bibtex() for key in sorted(set(keys)))


def program(year: int) -> CitedWork:
    """Jurybox in the version that runs here."""
    about = {"author": "Jurybox maintainers", "year": str(year), "title": "Jurybox"}
    note = f"Computer program, version {code_version()}"
    return CitedWork(PROGRAM, "misc", about | {"note": note})


def _article(  # noqa: PLR0917 (in the order of a reference)
    key: str, author: str, year: int, title: str, journal: str, volume: str = "", pages: str = ""
) -> CitedWork:
    fields = {"author": author, "year": str(year), "title": title, "journal": journal}
    more = {"volume": volume, "pages": pages}
    fields |= {name: text for name, text in more.items() if text}
    return CitedWork(key, "article", fields | whereabouts(key))


def _paper(key: str, author: str, year: int, title: str, booktitle: str) -> CitedWork:
    fields = {"author": author, "year": str(year), "title": title, "booktitle": booktitle}
    return CitedWork(key, "inproceedings", fields | whereabouts(key))


def _book(key: str, author: str, year: int, title: str, publisher: str) -> CitedWork:
    fields = {"author": author, "year": str(year), "title": title, "publisher": publisher}
    return CitedWork(key, "book", fields | whereabouts(key))


def _other(key: str, author: str, year: int, title: str, note: str) -> CitedWork:
    fields = {"author": author, "year": str(year), "title": title, "note": note}
    return CitedWork(key, "misc", fields | whereabouts(key))


_AGREEMENT = (
    _other("krippendorff2011", "Krippendorff, Klaus", 2011,
           "Computing Krippendorff's Alpha-Reliability", "University of Pennsylvania"),
    _book("krippendorff2004", "Krippendorff, Klaus", 2004,
          "Content Analysis: An Introduction to Its Methodology", "Sage"),
    _article("jaccard1912", "Jaccard, Paul", 1912,
             "The Distribution of the Flora in the Alpine Zone", "New Phytologist", "11", "37–50"),
    _paper("passonneau2006", "Passonneau, Rebecca", 2006,
           "Measuring Agreement on Set-valued Items (MASI) for Semantic and Pragmatic Annotation",
           "Proceedings of the Fifth International Conference on Language Resources and "
           "Evaluation"),
    _article("kemeny1959", "Kemeny, John G.", 1959,
             "Mathematics without Numbers", "Daedalus", "88", "577–591"),
    _article("cohen1960", "Cohen, Jacob", 1960,
             "A Coefficient of Agreement for Nominal Scales",
             "Educational and Psychological Measurement", "20", "37–46"),
    _article("cohen1968", "Cohen, Jacob", 1968,
             "Weighted Kappa: Nominal Scale Agreement with Provision for Scaled Disagreement or "
             "Partial Credit", "Psychological Bulletin", "70", "213–220"),
    _article("fleiss1971", "Fleiss, Joseph L.", 1971,
             "Measuring Nominal Scale Agreement among Many Raters", "Psychological Bulletin",
             "76", "378–382"),
    _article("gwet2008", "Gwet, Kilem Li", 2008,
             "Computing Inter-rater Reliability and Its Variance in the Presence of High "
             "Agreement", "British Journal of Mathematical and Statistical Psychology", "61",
             "29–48"),
    _article("byrt1993", "Byrt, Ted and Bishop, Janet and Carlin, John B.", 1993,
             "Bias, Prevalence and Kappa", "Journal of Clinical Epidemiology", "46", "423–429"),
    _article("shrout1979", "Shrout, Patrick E. and Fleiss, Joseph L.", 1979,
             "Intraclass Correlations: Uses in Assessing Rater Reliability",
             "Psychological Bulletin", "86", "420–428"),
    _article("mcgraw1996", "McGraw, Kenneth O. and Wong, S. P.", 1996,
             "Forming Inferences about Some Intraclass Correlation Coefficients",
             "Psychological Methods", "1", "30–46"),
    _book("brennan2001", "Brennan, Robert L.", 2001, "Generalizability Theory", "Springer"),
    _article("bland1986", "Bland, J. Martin and Altman, Douglas G.", 1986,
             "Statistical Methods for Assessing Agreement between Two Methods of Clinical "
             "Measurement", "The Lancet", "327", "307–310"),
    _article("nili2014", "Nili, Hamed and Wingfield, Cai and Walther, Alexander and Su, Li and "
             "Marslen-Wilson, William and Kriegeskorte, Nikolaus", 2014,
             "A Toolbox for Representational Similarity Analysis", "PLoS Computational Biology",
             "10"),
    _article("dawid1979", "Dawid, A. P. and Skene, A. M.", 1979,
             "Maximum Likelihood Estimation of Observer Error-Rates Using the EM Algorithm",
             "Applied Statistics", "28", "20–28"),
)  # fmt: skip
_INFERENCE = (
    _article("mackinnon2023", "MacKinnon, James G. and Nielsen, Morten Ørregaard and Webb, "
             "Matthew D.", 2023,
             "Fast and Reliable Jackknife and Bootstrap Methods for Cluster-robust Inference",
             "Journal of Applied Econometrics", "38", "671–694"),
    _article("satterthwaite1946", "Satterthwaite, F. E.", 1946,
             "An Approximate Distribution of Estimates of Variance Components",
             "Biometrics Bulletin", "2", "110–114"),
    _article("cameron2011", "Cameron, A. Colin and Gelbach, Jonah B. and Miller, Douglas L.", 2011,
             "Robust Inference With Multiway Clustering",
             "Journal of Business and Economic Statistics", "29", "238–249"),
    _article("liang1986", "Liang, Kung-Yee and Zeger, Scott L.", 1986,
             "Longitudinal Data Analysis Using Generalized Linear Models", "Biometrika", "73",
             "13–22"),
    _article("efron1979", "Efron, Bradley", 1979,
             "Bootstrap Methods: Another Look at the Jackknife", "The Annals of Statistics", "7",
             "1–26"),
    _article("lai1976", "Lai, Tze Leung", 1976, "On Confidence Sequences",
             "The Annals of Statistics", "4", "265–280"),
    _article("wang2025", "Wang, Hongjian and Ramdas, Aaditya", 2025,
             "Anytime-valid t-tests and Confidence Sequences for Gaussian Means with Unknown "
             "Variance", "Sequential Analysis"),
    _article("waudbysmith2024", "Waudby-Smith, Ian and Ramdas, Aaditya", 2024,
             "Estimating Means of Bounded Random Variables by Betting",
             "Journal of the Royal Statistical Society Series B", "86", "1–27"),
    _article("waudbysmith2024limit", "Waudby-Smith, Ian and Arbour, David and Sinha, Ritwik and "
             "Kennedy, Edward H. and Ramdas, Aaditya", 2024,
             "Time-uniform Central Limit Theory and Asymptotic Confidence Sequences",
             "The Annals of Statistics", "52", "2613–2640"),
    _article("wilson1927", "Wilson, Edwin B.", 1927,
             "Probable Inference, the Law of Succession, and Statistical Inference",
             "Journal of the American Statistical Association", "22", "209–212"),
    _article("newcombe1998", "Newcombe, Robert G.", 1998,
             "Improved Confidence Intervals for the Difference between Binomial Proportions Based "
             "on Paired Data", "Statistics in Medicine", "17", "2635–2650"),
    _article("bonett2000", "Bonett, Douglas G. and Wright, Thomas A.", 2000,
             "Sample Size Requirements for Estimating Pearson, Kendall and Spearman Correlations",
             "Psychometrika", "65", "23–28"),
    _article("holm1979", "Holm, Sture", 1979,
             "A Simple Sequentially Rejective Multiple Test Procedure",
             "Scandinavian Journal of Statistics", "6", "65–70"),
    _article("benjamini2001", "Benjamini, Yoav and Yekutieli, Daniel", 2001,
             "The Control of the False Discovery Rate in Multiple Testing under Dependency",
             "The Annals of Statistics", "29", "1165–1188"),
    _article("wilcoxon1945", "Wilcoxon, Frank", 1945,
             "Individual Comparisons by Ranking Methods", "Biometrics Bulletin", "1", "80–83"),
    _article("friedman1937", "Friedman, Milton", 1937,
             "The Use of Ranks to Avoid the Assumption of Normality Implicit in the Analysis of "
             "Variance", "Journal of the American Statistical Association", "32", "675–701"),
    CitedWork("nemenyi1963", "phdthesis", {
        "author": "Nemenyi, Peter", "year": "1963", "title": "Distribution-free Multiple "
        "Comparisons", "school": "Princeton University"}),
    _article("demsar2006", "Demšar, Janez", 2006,
             "Statistical Comparisons of Classifiers over Multiple Data Sets",
             "Journal of Machine Learning Research", "7", "1–30"),
    _article("clark1973", "Clark, Herbert H.", 1973,
             "The Language-as-Fixed-Effect Fallacy: A Critique of Language Statistics in "
             "Psychological Research", "Journal of Verbal Learning and Verbal Behavior", "12",
             "335–359"),
    _article("schuirmann1987", "Schuirmann, Donald J.", 1987,
             "A Comparison of the Two One-Sided Tests Procedure and the Power Approach for "
             "Assessing the Equivalence of Average Bioavailability",
             "Journal of Pharmacokinetics and Biopharmaceutics", "15", "657–680"),
)  # fmt: skip
_SCORES = (
    _article("pearson1896", "Pearson, Karl", 1896,
             "Mathematical Contributions to the Theory of Evolution. III. Regression, Heredity, "
             "and Panmixia", "Philosophical Transactions of the Royal Society of London A", "187",
             "253–318"),
    _article("spearman1904", "Spearman, Charles", 1904,
             "The Proof and Measurement of Association between Two Things",
             "The American Journal of Psychology", "15", "72–101"),
    _article("kendall1945", "Kendall, M. G.", 1945,
             "The Treatment of Ties in Ranking Problems", "Biometrika", "33", "239–251"),
    _article("kendall1939", "Kendall, M. G. and Babington Smith, B.", 1939,
             "The Problem of m Rankings", "The Annals of Mathematical Statistics", "10",
             "275–287"),
    _article("bradley1952", "Bradley, Ralph Allan and Terry, Milton E.", 1952,
             "Rank Analysis of Incomplete Block Designs: I. The Method of Paired Comparisons",
             "Biometrika", "39", "324–345"),
    _paper("kiritchenko2017", "Kiritchenko, Svetlana and Mohammad, Saif", 2017,
           "Best-Worst Scaling More Reliable than Rating Scales: A Case Study on Sentiment "
           "Intensity Annotation",
           "Proceedings of the 55th Annual Meeting of the Association for Computational "
           "Linguistics"),
    _book("vanrijsbergen1979", "van Rijsbergen, C. J.", 1979, "Information Retrieval",
          "Butterworths"),
    _article("shannon1948", "Shannon, Claude E.", 1948,
             "A Mathematical Theory of Communication", "Bell System Technical Journal", "27",
             "379–423"),
    _paper("minka2001", "Minka, Thomas P.", 2001,
           "Expectation Propagation for Approximate Bayesian Inference",
           "Proceedings of the Seventeenth Conference on Uncertainty in Artificial Intelligence"),
    _paper("xing2025", "Xing, Rui and Baldwin, Timothy and Lau, Jey Han", 2025,
           "Evaluating Evidence Attribution in Generated Fact Checking Explanations",
           "Proceedings of the 2025 Conference of the Nations of the Americas Chapter of the "
           "Association for Computational Linguistics"),
    _paper("belz2022", "Belz, Anya and Popović, Maja and Mille, Simon", 2022,
           "Quantified Reproducibility Assessment of NLP Results",
           "Proceedings of the 60th Annual Meeting of the Association for Computational "
           "Linguistics"),
)  # fmt: skip
_JUDGES = (
    _paper("calderon2025", "Calderon, Nitay and Reichart, Roi and Dror, Rotem", 2025,
           "The Alternative Annotator Test for LLM-as-a-Judge: How to Statistically Justify "
           "Replacing Human Annotators with LLMs",
           "Proceedings of the 63rd Annual Meeting of the Association for Computational "
           "Linguistics"),
    _article("yerushalmy1947", "Yerushalmy, Jacob", 1947,
             "Statistical Problems in Assessing Methods of Medical Diagnosis, with Special "
             "Reference to X-Ray Techniques", "Public Health Reports", "62", "1432–1449"),
    _article("rogan1978", "Rogan, Walter J. and Gladen, Beth", 1978,
             "Estimating Prevalence from the Results of a Screening Test",
             "American Journal of Epidemiology", "107", "71–76"),
    _article("brier1950", "Brier, Glenn W.", 1950,
             "Verification of Forecasts Expressed in Terms of Probability",
             "Monthly Weather Review", "78", "1–3"),
    _paper("naeini2015", "Naeini, Mahdi Pakdaman and Cooper, Gregory F. and Hauskrecht, Milos",
           2015, "Obtaining Well Calibrated Probabilities Using Bayesian Binning",
           "Proceedings of the Twenty-Ninth AAAI Conference on Artificial Intelligence"),
    _article("angelopoulos2023", "Angelopoulos, Anastasios N. and Bates, Stephen and Fannjiang, "
             "Clara and Jordan, Michael I. and Zrnic, Tijana", 2023,
             "Prediction-powered Inference", "Science", "382", "669–674"),
    _other("angelopoulos2023ppi", "Angelopoulos, Anastasios N. and Duchi, John C. and Zrnic, "
           "Tijana", 2023, "PPI++: Efficient Prediction-Powered Inference", "arXiv:2311.01453"),
    _paper("liu2023", "Liu, Yang and Iter, Dan and Xu, Yichong and Wang, Shuohang and Xu, "
           "Ruochen and Zhu, Chenguang", 2023,
           "G-Eval: NLG Evaluation using GPT-4 with Better Human Alignment",
           "Proceedings of the 2023 Conference on Empirical Methods in Natural Language "
           "Processing"),
    _paper("kim2024", "Kim, Seungone and others", 2024,
           "Prometheus 2: An Open Source Language Model Specialized in Evaluating Other Language "
           "Models",
           "Proceedings of the 2024 Conference on Empirical Methods in Natural Language "
           "Processing"),
    _paper("zhong2022", "Zhong, Ming and Liu, Yang and Yin, Da and Mao, Yuning and Jiao, Yizhu "
           "and Liu, Pengfei and Zhu, Chenguang and Ji, Heng and Han, Jiawei", 2022,
           "Towards a Unified Multi-Dimensional Evaluator for Text Generation",
           "Proceedings of the 2022 Conference on Empirical Methods in Natural Language "
           "Processing"),
    _paper("honovich2022", "Honovich, Or and others", 2022,
           "TRUE: Re-evaluating Factual Consistency Evaluation",
           "Proceedings of the 2022 Conference of the North American Chapter of the Association "
           "for Computational Linguistics"),
)  # fmt: skip
PROGRAM = "jurybox"
ENTRIES: Mapping[str, CitedWork] = {
    entry.key: entry for entry in (*_AGREEMENT, *_INFERENCE, *_SCORES, *_JUDGES)
}
