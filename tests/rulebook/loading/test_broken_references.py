"""References, names and forms: what a file cites, lists, calls and counts must be usable."""

from tests.rulebook.loading.breaking import (
    HD,
    IS,
    MD,
    Case,
    assert_refused,
    block,
    each,
    edited,
    problems_of,
)

RESEED = block(IS, 'figure = "reseed_cost_included"')

CASES = [
    Case(
        "ambiguity that nobody cites",
        HD,
        "ambiguities.A-02",
        "no rule cites this ambiguity; cite it or remove it",
        [("[ambiguities]\n", "", '"A-02" = "We read it so."\n')],
    ),
    Case(
        "citation that no list has in two places",
        HD,
        "ante.cites",
        "'HD.9.9' is in neither [clauses] nor [ambiguities]; list it there",
        [
            ("[ante]", 'cites = ["HD.2.1"]', 'cites = ["HD.2.1", "HD.9.9"]'),
            ("[cut]", 'cites = ["HD.3.2"]', 'cites = ["HD.3.2", "HD.9.9"]'),
        ],
    ),
    Case(
        "informative entry that no list has",
        HD,
        "informative.HD.9.9",
        "is in neither [clauses] nor [ambiguities]",
        [("[informative]\n", "", '"HD.9.9" = "nothing to do"\n')],
    ),
    Case(
        "informative clause that an engine carries out",
        MD,
        "informative.MD-2014.01.A",
        "the clause is carried out by engine; informational is right there",
        [('"MD-2014.01.A" = {', 'by = "informational"', 'by = "engine"')],
    ),
    Case(
        "prefix with a dot",
        HD,
        "clause_prefix",
        "'HD.1' is no prefix; capitals are right",
        [("", 'clause_prefix = "HD"', 'clause_prefix = "HD.1"')],
    ),
    Case(
        "prefix of no clause",
        HD,
        "clause_prefix",
        "no clause begins with 'XX.'",
        [("", 'clause_prefix = "HD"', 'clause_prefix = "XX"')],
    ),
    Case(
        "clause of another document",
        IS,
        "clauses.ZZ.1",
        "a clause of this document begins with IS.",
        [
            (
                "[clauses]\n",
                "",
                '"ZZ.1" = { number = "1", by = "engine", text = "x", lines = [1, 1] }\n',
            ),
            ("[ante]", 'cites = ["', 'cites = ["ZZ.1", "'),
        ],
    ),
    *(
        Case(
            f"clause called {name}",
            HD,
            f"clauses.{name}",
            "a clause has a prefix in capitals, a dot and its number",
            [("[clauses]\n", "", f'"{name}" = {{ number = "1", by = "engine", text = "x" }}\n')],
        )
        for name in ("A-02", "hd.1", "1.1")
    ),
    Case(
        "clause of a document without lines",
        IS,
        "clauses.IS.0",
        "missing key 'lines'; where the document has it is right",
        [('"IS.0" = {', "lines = [5, 5], ", "")],
    ),
    Case(
        "sentence without lines",
        HD,
        "clauses.HD.1.1.sentence",
        "a sentence is found on its lines; give lines",
        [('"HD.1.1" = {', 'number = "1.1"', 'number = "1.1", sentence = 2')],
    ),
    Case(
        "lines that end before they begin",
        IS,
        "clauses.IS.0.lines",
        "ends before it begins; [first, last] is right",
        [('"IS.0" = {', "lines = [5, 5]", "lines = [6, 5]")],
    ),
    Case(
        "three lines",
        IS,
        "clauses.IS.0.lines",
        "has 3 entries; at most 2 are right",
        [('"IS.0" = {', "lines = [5, 5]", "lines = [5, 5, 5]")],
    ),
    Case(
        "one line",
        IS,
        "clauses.IS.0.lines",
        "has 1 entries; at least 2 are right",
        [('"IS.0" = {', "lines = [5, 5]", "lines = [5]")],
    ),
    Case(
        "ambiguity that is called like a clause",
        HD,
        "ambiguities.HD.1.1",
        "a capital, a hyphen and two digits are right for a key",
        [("[ambiguities]\n", "", '"HD.1.1" = "We read it so."\n')],
    ),
    Case(
        "document without a sha256",
        IS,
        "source.sha256",
        "is missing; only a house's own rules may leave it out",
        [
            (
                "[source]",
                'sha256 = "0b1c8884e4f613e1744cce579018cc3b9c3b5fe9ef67eca459bfbbb37ebfa83d"',
                "",
            )
        ],
    ),
    Case(
        "sha256 of zeros",
        HD,
        "source.sha256",
        "is a row of zeros; the sha256 of a file is right",
        [("[source]\n", "", f'sha256 = "{"0" * 64}"\n')],
    ),
    Case(
        "base's sha256 of zeros",
        HD,
        "source.based_on_sha256",
        "is a row of zeros",
        [("[source]\n", "", f'based_on = "other"\nbased_on_sha256 = "{"0" * 64}"\n')],
    ),
    Case(
        "sha256 with a line break",
        HD,
        "source.sha256",
        "is not right here; a sha256 has 64 hexadecimal digits",
        [("[source]\n", "", f'sha256 = "{"a" * 64}\\n"\n')],
    ),
    Case(
        "based on itself",
        HD,
        "source.based_on",
        "a rulebook is not based on itself; remove it",
        [("[source]\n", "", 'based_on = "house-demo"\n')],
    ),
    Case(
        "based on something without its sha256",
        HD,
        "source.based_on",
        "goes with based_on_sha256; give both or neither",
        [("[source]\n", "", 'based_on = "island-stud"\n')],
    ),
    Case(
        "a citation twice",
        HD,
        "cut.cites",
        "names HD.3.2 2 times; once is right",
        [("[cut]", 'cites = ["HD.3.2"]', 'cites = ["HD.3.2", "HD.3.2"]')],
    ),
    Case(
        "a spot of settlement twice",
        HD,
        "void.returns",
        "names tips 2 times; once is right",
        [("[void]", '"tips"]', '"tips", "tips"]')],
    ),
    Case(
        "two pay tables of one name",
        HD,
        "paytables.HD-BASE",
        "stands 2 times; once is right",
        [("", 'id = "HD-3CB"', 'id = "HD-BASE"')],
    ),
    Case(
        "pay tables told apart by case alone",
        HD,
        "paytables.HD-prog-2",
        "stands 2 times; once is right",
        [("", 'id = "HD-ENVY-2"', 'id = "HD-prog-2"')],
    ),
    Case(
        "comparison called like a pay table",
        IS,
        "comparison.id",
        "stands 2 times; once is right",
        [("[comparison]", 'id = "IS-BASE"', 'id = "IS-01"')],
    ),
    Case(
        "pay table called by a bare letter",
        HD,
        "paytables.A",
        "'A' is no id of a pay table; a prefix in capitals, a hyphen and a name",
        [("", 'id = "HD-3CB"', 'id = "A"')],
    ),
    Case(
        "pay table with a blank in its name",
        HD,
        "paytables.HD-3 CB",
        "is no id of a pay table",
        [("", 'id = "HD-3CB"', 'id = "HD-3 CB"')],
    ),
    Case(
        "pay table with a line break in its name",
        HD,
        "paytables.HD-3CB?.id",
        "has a control character or a line break; plain text on one line is right",
        [("", 'id = "HD-3CB"', 'id = "HD-3CB\\n"')],
    ),
    *(
        Case(
            f"table that equals {name}",
            MD,
            "paytables.MD-2014-6CB-OLD-E.equals",
            says,
            [('equals = ["MD-2014-6CB-A"]', '"MD-2014-6CB-A"', f'"{name}"')],
        )
        for name, says in (
            ("nothing", "'nothing' is no other table's id; name one or none"),
            ("MD-2014-6CB-OLD-E", "'MD-2014-6CB-OLD-E' is no other table's id"),
            ("MD-2014-6CB-B", "'MD-2014-6CB-B' pays otherwise; name one that pays the same"),
            ("MD-2014-BASE", "'MD-2014-BASE' pays otherwise"),
        )
    ),
    Case(
        "published figure of no pay table",
        IS,
        "published.house_edge.paytable",
        "there is no pay table 'IS-09'",
        [("[[published]]", 'paytable = "IS-01"', 'paytable = "IS-09"')],
    ),
    Case(
        "published figure of another bet's table",
        IS,
        "published.house_edge.paytable",
        "'IS-PROG-PMG-01' is a table for progressive",
        [("[[published]]", 'paytable = "IS-01"', 'paytable = "IS-PROG-PMG-01"')],
    ),
    Case(
        "published figure of a bet that is not offered",
        HD,
        "published.house_edge.bet",
        "bonus is not offered here",
        [
            (
                'cites = ["HD.7.7"]\n\n',
                "",
                '[[published]]\nfigure = "house_edge"\nbet = "bonus"\nprinted = "3%"\n'
                'cites = ["HD.5.4"]\n\n',
            )
        ],
    ),
    Case(
        "published figure twice",
        IS,
        "published.house_edge",
        "stands 2 times for IS-01; once is right",
        [("[[published]]", 'paytable = "IS-02"', 'paytable = "IS-01"')],
    ),
    Case(
        "published figure of no table twice",
        IS,
        "published.reseed_cost_included",
        "stands 2 times for progressive; once is right",
        [(RESEED, "", RESEED)],
    ),
    Case(
        "id with a line break",
        HD,
        "id",
        "'house-demo\\n' is not right here; small letters, digits and single hyphens",
        [("", 'id = "house-demo"', 'id = "house-demo\\n"')],
    ),
    Case(
        "title that commands a terminal",
        HD,
        "title",
        "'\\x1b[31mIN FORCE' has a control character",
        [
            (
                "",
                'title = "Riverboat Demo Casino: Mississippi Stud, house rules"',
                'title = "\\u001b[31mIN FORCE"',
            )
        ],
    ),
    Case(
        "title that runs backwards",
        HD,
        "title",
        "has a control character or a line break",
        [("", 'title = "Riverboat Demo', 'title = "\\u202eRiverboat Demo')],
    ),
    Case(
        "title of blanks",
        HD,
        "title",
        "is empty; some text is right",
        [("", 'title = "Riverboat Demo Casino: Mississippi Stud, house rules"', 'title = "  "')],
    ),
    Case(
        "clause with a control character in its key",
        HD,
        "clauses",
        "has a control character",
        [("[clauses]\n", "", '"HD.\\u0007" = { number = "1", by = "engine", text = "x" }\n')],
    ),
    *(
        Case(
            f"wrong value in {where}",
            book,
            where,
            "is a whole number (7)",
            [(at, was, f"{was.partition(' ')[0]} = 7")],
        )
        for book, where, at, was in (
            (HD, "paytables.HD-3CB.number", 'id = "HD-3CB"', 'number = "5.4"'),
            (IS, "comparison.lines.tie.pays.bet", 'outcome = "tie"', 'bet = "push"'),
            (IS, "published.house_edge.printed", "[[published]]", 'printed = "3.1%"'),
            (HD, "side_bets.progressive.label", 'bet = "progressive"', 'label = "Progressive"'),
            (HD, "dealing.automated.default", 'method = "automated"', "default = true"),
            (HD, "layout.ante_area.label", 'feature = "ante_area"', 'label = "Ante"'),
            (MD, "equipment.drop_box.needs_approval", 'item = "drop_box"', "needs_approval = true"),
            (IS, "progressive.steps.print_win_page.optional", 'step = "print', "optional = true"),
            (HD, "conduct.leaving_the_table.option", 'rule = "leaving', 'option = "leaver"'),
            (HD, "progressive.schedules.HD-PROG-2.envy", "[[progressive.s", 'envy = "HD-ENVY-2"'),
        )
    ),
    Case(
        "wrong value in a sign",
        HD,
        "signs.base_pay_table.where",
        "7 is not allowed; allowed are booklet, layout",
        [("[[signs]]", 'where = "layout"', "where = 7")],
    ),
    Case(
        "wrong value where either of two kinds is right",
        HD,
        "layout.progressive_area.when",
        "never is not offered here; remove it",
        [('feature = "progressive_area"', 'when = "progressive"', 'when = "never"')],
    ),
    Case(
        "id that is no text",
        HD,
        "id",
        "is a whole number (7); text is right",
        [("", 'id = "house-demo"', "id = 7")],
    ),
    Case(
        "clause that nobody carries out",
        HD,
        "clauses.HD.1.1.by",
        "'nobody' is not allowed; allowed are config_validation",
        [('"HD.1.1" = {', 'by = "config_validation"', 'by = "nobody"')],
    ),
    Case(
        "number for a table",
        HD,
        "instruments",
        "is a whole number (7); a table is right",
        [("", "revision = 1\n", "revision = 1\ninstruments = 7\n")],
    ),
    Case(
        "number for a list",
        HD,
        "published",
        "is a whole number (7); a list is right",
        [("", "revision = 1\n", "revision = 1\npublished = 7\n")],
    ),
    Case(
        "number for named values",
        HD,
        "options.breakage.default_when",
        "is a whole number (7); a table is right",
        [("[options.breakage]", "meaning", "default_when = 7\nmeaning")],
    ),
    Case(
        "number for an option",
        HD,
        "options.edition",
        "is a whole number (7); a table is right",
        [("[options.seats]", "[options.seats]", "[options]\nedition = 7\n\n[options.seats]")],
    ),
    Case(
        "option of no kind",
        HD,
        "options.breakage",
        "missing key 'kind'; one of choice, flag, integer, money, percent, text",
        [("[options.breakage]", 'kind = "choice"\n', "")],
    ),
    Case(
        "option of several kinds",
        HD,
        "options.breakage.kind",
        "a list is not allowed; allowed are choice, flag",
        [("[options.breakage]", 'kind = "choice"', 'kind = ["choice"]')],
    ),
    Case(
        "truth for a number",
        HD,
        "revision",
        "is true or false (true); a whole number is right",
        [("", "revision = 1", "revision = true")],
    ),
    Case(
        "number below what can be",
        HD,
        "deal.seat_cards",
        "is 0; at least 1 is right",
        [("[deal]", "seat_cards = 2", "seat_cards = 0")],
    ),
    Case(
        "number with ten digits",
        HD,
        "revision",
        "is a number of more than nine digits; at most nine digits are right",
        [("", "revision = 1", "revision = 1000000000")],
    ),
    Case(
        "number with ten digits below zero",
        HD,
        "options.seats.minimum",
        "is a number of more than nine digits",
        [("[options.seats]", "minimum = 1", "minimum = -1000000000")],
    ),
    Case(
        "number that cannot even be printed",
        HD,
        "ante.required",
        "is a whole number (a number of more than nine digits); true or false is right",
        [("[ante]", "required = true", f"required = 0x{'f' * 6000}")],
    ),
    Case(
        "choice that is a number that cannot be printed",
        HD,
        "acting.order",
        "a number of more than nine digits is not allowed",
        [("[acting]", 'order = "dealers_left_to_right"', f"order = 0x{'f' * 6000}")],
    ),
    Case(
        "true for a word",
        HD,
        "acting.order",
        "True is not allowed; allowed are dealers_left_to_right",
        [("[acting]", 'order = "dealers_left_to_right"', "order = true")],
    ),
    Case(
        "amount of five thousand digits",
        HD,
        "aggregate_limit.limit",
        "'1111111111111111111111111111111111111111'... has 5000 characters; an amount, rate",
        [("[aggregate_limit]", 'limit = "100000"', f'limit = "{"1" * 5000}"')],
    ),
    Case(
        "key of a thousand letters",
        HD,
        "ante",
        "unknown key 'kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk'...; known keys are",
        [("[ante]\n", "", f"{'k' * 1000} = 1\n")],
    ),
    Case(
        "text of a thousand letters for a number",
        HD,
        "revision",
        "is text ('xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'...); a whole number is right",
        [("", "revision = 1", f'revision = "{"x" * 1000}"')],
    ),
]


@each(CASES)
def test_a_broken_reference_is_refused(case: Case) -> None:
    assert_refused(case)


def test_a_house_keeps_the_clauses_that_it_plays_under() -> None:
    clause = '"ZZ.1" = { number = "1", by = "engine", text = "x", lines = [1, 1] }\n'
    edits = [("[clauses]\n", "", clause), ("[ante]", 'cites = ["', 'cites = ["ZZ.1", "')]
    assert problems_of(edited(HD, edits), "x.toml") == ()
