/* What the floor answers and sends, for the pages' scripts. Written by scripts/generate: change the
   types of the answers instead, in riverboat/web. */
declare namespace Floor {
  /** Nobody can read any more what was sealed at this table: a round that is played with it is void and over, and decks that wait are shuffled again. `first` and `second` decided to go on. */
  interface AbandonSealed {
    do: "abandon_sealed";
    reason: string;
    first: string;
  }
  /** A hand that was keyed for a seat that does not win with it, and what is done about that. */
  interface Accident {
    seat: number;
    hand: string;
    words: string;
    cites: string[];
  }
  /** Somebody who may sign in; `signs` where they sign for money, and then why they do not count as one of two people now, since when not, and who made account or password. */
  interface Account {
    name: string;
    door: "administrator" | "auditor" | "dealer" | "manager" | "player" | "supervisor" | "visitor";
    must_change: boolean;
    closed: boolean;
    signs?: boolean;
    counts?: boolean;
    counts_from?: number;
    waits_for?: string;
    makers?: string[];
  }
  /** Every account, by name; no secret of any. */
  interface AccountList {
    accounts: Account[];
  }
  /** Somebody who asks for something. An automatic one is a program, and the log says so. */
  interface Actor {
    name: string;
    role: "dealer" | "floorperson" | "lab" | "player" | "supervisor" | "system";
    automatic?: boolean;
  }
  /** Change the amount by hand, up or down. */
  interface Adjust {
    do: "adjust_link";
    units: number;
    code: "above_maximum" | "correction" | "dispute" | "malfunction" | "seed_recovery" | "undisplayed_prize";
    reason: string;
  }
  /** Every choice with its exact value in antes, the best one, and what others give away. */
  interface Advised {
    rulebook: string;
    choices: Record<string, string>;
    best: string;
    costs: Record<string, string>;
  }
  type AnyAsked = TellTime | OpenDay | CloseDay | Fill | Credit | BuyIn | Drop | Propose | Approve | Withdraw | Designate | CloseTable | AssignDealer | SitDown | StandUp | ReceiveDeck | Prepare | StartShuffle | JamShuffler | FinishShuffle | SealDeck | ForceDeck | Cut | TellWord | FixCut | ForceCut | OrderRecut | OrderShuffle | Load | RemoveDeck | GoIdle | StartRound | CallOff | DealOut | ReportCard | CountStub | Expire | FailDevice | MarkDevice | UseMethod | RestoreDevice | Interrupt | Confirm | AbandonSealed | Wager | TakeBack | CloseBets | LockProgressive | CollectProgressive | Deal | Bet | Fold | Turn | Settle | SettleAll | Correct | Incident | CorrectCard | Close | PlaceChip | RemoveChip | CoinIn | PlayWithout | CountChips | CancelWager | FirstCard | PressHand | CallSupervisor | VerifyWin | KeyInWinner | TurnKey | PressJPot | PrintWinPage | PayAward | GameOver | BackOut | OverrideUnlit | VoidRound;
  type AnyMeterAction = OpenMeter | JoinMeter | LeaveMeter | Adjust | TakeOutOfService | BringBack | RetireMeter | MoveMeter;
  /** What the regulator has approved, beyond single items. */
  interface Approvals {
    layout?: boolean;
    manual_dealing?: boolean;
  }
  /** Somebody else agrees to what was proposed. */
  interface Approve {
    do: "approve";
    number: number;
  }
  /** What can be laid on a spot. */
  interface Area {
    minimum_cents: number;
    maximum_cents: number | null;
  }
  /** Something asked for at a table, once however often it is sent. What takes two people is signed by the second one with name and password, beside the action; at a demo table its program signs where nobody does. */
  interface Asked {
    id: string;
    action: AnyAsked;
    second?: Signature | null;
  }
  /** What the procedure asks of whoever plays, between rounds, and the action that does it. */
  interface AskedOfYou {
    words: string;
    do: { do: string; [name: string]: any };
  }
  /** Who deals from now on. */
  interface AssignDealer {
    do: "assign_dealer";
    name: string;
  }
  /** Where something went wrong: at a seat, in a place, or neither. */
  interface At {
    seat?: number;
    place?: string;
  }
  /** An award on a meter; `after_units` is what the meter would stand at were it backed out. */
  interface AwardLine {
    award: string;
    number: number;
    table: string;
    round: number;
    seat: number;
    hand: string;
    percent: number;
    cents: number;
    paid: boolean;
    moved: boolean;
    backed_out: boolean;
    after_units: number;
  }
  /** A logged award is taken back by hand. */
  interface BackOut {
    do: "back_out";
    award: string;
    reason: string;
  }
  /** How the table stood as the round began, as far as the round depends on it. */
  interface Before {
    date: string;
    dealer: string;
    seated: Record<string, string>;
    programs: number[];
    decks: DeckBefore[];
    last_deck: string;
    rounds_since_count: number;
    device: "failed" | "marked" | "working";
    method: [string, string] | null;
    configurations: number;
    proposals: ProposalBefore[];
  }
  /** Something that the floor does by itself and cannot do just now; since when, in seconds of 1970. */
  interface Behind {
    duty: string;
    since: number;
  }
  /** A starting hand: the best first bet, and what each choice is worth in antes. */
  interface BestOfHand {
    best: number;
    choices: Record<string, string>;
  }
  /** The best play as a chart of the starting hands, where there are streets; easier plays. */
  interface BestPlay {
    rulebook: string;
    game: string;
    hands: Record<string, BestOfHand>;
    plays: EasyPlay[];
  }
  /** Stay in for this amount, and perhaps add a tip. */
  interface Bet {
    do: "bet";
    seat: number;
    cents: number;
    tip_cents?: number;
  }
  /** A bet under a pay table: exact figures as fractions, per unit of the first wager, and beside them rounded ones. A base game has more, from `capped` on; a progressive from `meter` on. */
  interface BetFigures {
    bet: string;
    paytable: string;
    status: string;
    wager: string;
    ev: string;
    house_edge: number;
    hit_frequency: string;
    standard_deviation: number;
    variance: string;
    skewness?: number;
    capped?: boolean;
    average_wager?: string;
    element_of_risk?: number;
    element_of_risk_exact?: string;
    ties?: string;
    ties_otherwise?: OtherTies;
    win_push_loss?: Record<string, string>;
    folds?: Record<string, string>;
    raises?: Record<string, Record<string, string>>;
    hands?: HandShare[];
    distribution?: Outcome[];
    simpler_play?: SimplerPlay[];
    meter?: string;
    others?: number;
    envy_ev?: string;
    break_even_meter?: string | null;
    break_even_meter_exact?: string | null;
    long_run_house_edge?: number;
    long_run_house_edge_exact?: string;
    fold?: string;
    strategy?: string;
    together?: Jointly;
    lines?: PayLine[];
    as_printed?: Printed;
    suspicion?: string;
    assumptions: string[];
  }
  /** What the house bore of a round: money taken back from a player who had it no more. */
  interface Borne {
    name: string;
    round: number;
    cents: number;
    reason: string;
  }
  /** What an argument may be: one of some values; from a minimum to a maximum in steps of a unit; text; or what the table judges when it comes. */
  interface Bounds {
    values?: (number | string | boolean | null)[];
    minimum?: number | null;
    maximum?: number | null;
    unit?: number;
    text?: boolean;
    required?: boolean;
    judged?: string;
  }
  /** Take wagers again. */
  interface BringBack {
    do: "bring_link_back";
  }
  /** A player's cash goes into the drop box and chips for it out of the tray. */
  interface BuyIn {
    do: "buy_in";
    seat: number;
    cents: number;
  }
  /** Nobody bets: the round ends before it began. */
  interface CallOff {
    do: "call_off";
  }
  /** The dealer calls for the hands that are keyed. */
  interface CallSupervisor {
    do: "call_supervisor";
  }
  /** An accepted wager of which no chip is there does not count. */
  interface CancelWager {
    do: "cancel_wager";
    seat: number;
    reason: string;
  }
  /** Where the next card goes, how many were told of how many, and whether the last one can be put right. */
  interface CardReports {
    place: string | null;
    done: number;
    of: number;
    last: LastCard | null;
    mends: boolean;
  }
  /** One reason why a table may not be set up so. */
  interface ChoiceProblem {
    code: string;
    words: string;
    cites: string[];
  }
  /** A rulebook and what an operator chooses among its options, side bets by their pay tables. */
  interface Chosen {
    rulebook: string;
    choices?: Record<string, string | number | boolean>;
  }
  /** What a clause says, in short; an ambiguity has no number and says how it was settled. */
  interface CitedClause {
    number: string;
    text: string;
  }
  /** A clause: in our words, the rules that carry it out, or why there are none; the document's own words where the document is at hand. */
  interface ClauseText {
    id: string;
    number: string;
    text: string;
    by: string;
    lines: number[] | null;
    rules: string[];
    informative: string | null;
    source?: string;
  }
  /** The dealer ends the round. */
  interface Close {
    do: "close";
  }
  /** The dealer ends the betting. */
  interface CloseBets {
    do: "close_bets";
  }
  /** The gaming day ends with the tray counted. */
  interface CloseDay {
    do: "close_day";
    tray_cents: number;
  }
  /** No more play at this table today. */
  interface CloseTable {
    do: "close_table";
  }
  /** A finished round's decisions, for whoever made them. */
  interface Coached {
    table: string;
    round: number;
    seats: SeatCosts[];
  }
  /** The key that locks the wagers. The round's number is the table's; 0 is the next one. */
  interface CoinIn {
    do: "coin_in";
    round?: number;
  }
  /** The dealer takes the progressive chips and counts them. */
  interface CollectProgressive {
    do: "collect_progressive";
    chips: number;
  }
  /** The numbers that were given since the round before; `each` also has those that waited. */
  interface Commitments {
    first: number;
    last: number;
    each: Made[];
  }
  /** The commitment of the round. Positions that were not opened to the reader are null; the house's word is opened to everybody. */
  interface CommittedDeck {
    number: number;
    entry: number;
    forced: boolean;
    root: string;
    house: string;
    word: string;
    leaves: string[];
    order: (string | null)[];
    salts: (string | null)[];
  }
  /** What is disputed about a round. */
  interface Complaint {
    id: string;
    reason: string;
  }
  /** The floor signs how the table stood, and how play goes on; a second person, where the round is void after its cards were seen. */
  interface Confirm {
    do: "confirm";
    statement: string;
    decision: "by_hand" | "resume" | "void";
  }
  /** What somebody of the house is shown beside the felt: their part, the next step, what else is to be done, what can go wrong, the keypad, and what the clauses of the steps say. */
  interface Console {
    part: string;
    stands_in: string;
    on_duty: boolean;
    step: ConsoleStep | null;
    also: ConsoleTask[];
    incidents: Reportable[];
    trouble: Trouble[];
    mending: Mending;
    reports: CardReports | null;
    enters: EntersBets | EntersDecision | null;
    pad: Pad | null;
    keys: Offered[];
    orders: Offered[];
    clauses?: Record<string, CitedClause>;
  }
  /** A step of the procedure: whose, in which words, and the action that a button sends. It is `yours` where the table would do it for you; `bounds` are those of the action's arguments. */
  interface ConsoleStep {
    who: string;
    words: string;
    say: string;
    how: string[];
    first: FirstTask[];
    cites: string[];
    seat: number | null;
    do: { do: string; [name: string]: any } | null;
    button: string;
    machine: boolean;
    yours: boolean;
    counts: Record<string, number> | null;
    bounds?: Record<string, Bounds>;
  }
  /** What else is to be done, or may be. */
  interface ConsoleTask {
    who: string;
    words: string;
    say: string;
    how: string[];
    first: FirstTask[];
    cites: string[];
    seat: number | null;
    do: { do: string; [name: string]: any } | null;
    button: string;
    machine: boolean;
    yours: boolean;
    counts: Record<string, number> | null;
    bounds?: Record<string, Bounds>;
    optional: boolean;
  }
  /** The floor makes a wrong payout good; below zero the player gives back. */
  interface Correct {
    do: "correct";
    seat: number;
    spot: string;
    cents: number;
    reason: string;
  }
  /** The floor puts a misreported card right: the first, second … of a place. */
  interface CorrectCard {
    do: "correct_card";
    place: string;
    number: number;
    card: number;
    reason: string;
  }
  /** A decision as it was made; `cost` is None for a bet that advice has no figure for. */
  interface Cost {
    spot: string;
    choice: string;
    best: string;
    choices: Record<string, Worth>;
    cost: Worth | null;
    words: string;
  }
  /** The dealer takes the chips and counts them. */
  interface CountChips {
    do: "count_chips";
    chips: number;
  }
  /** The stub is counted, and the cards of every place that does not have its right number. Between rounds it is the whole deck that is counted. */
  interface CountStub {
    do: "count_stub";
    cards: number;
    places?: Record<string, number>;
  }
  /** Chips go from the tray to the cage. */
  interface Credit {
    do: "credit";
    cents: number;
  }
  /** The dealer cuts with the cover card, so many cards from the top. */
  interface Cut {
    do: "cut";
    deck: string;
    depth: number;
  }
  /** One cut of the round's deck: a dealer's before the bets, or, `fixed`, the one after them. */
  interface CutMade {
    entry: number;
    depth: number;
    by: string;
    fixed: boolean;
    forced: boolean;
    house: string;
    words: Record<string, string>;
    withheld: number[];
    seconds: number;
    lowest: number;
    deepest: number;
  }
  /** The cards that every place gets. */
  interface Deal {
    do: "deal";
    places: Record<string, number[]>;
  }
  /** The dealer deals from the committed deck. */
  interface DealOut {
    do: "deal_out";
  }
  /** Names of those who may be assigned to deal. */
  interface Dealers {
    dealers: string[];
  }
  /** A card as it was dealt, and to which place; empty where it was not shown. */
  interface DealtCard {
    place: string;
    card: string;
  }
  /** A decision of yours: its spot, the bets that stay in, whether you may fold. */
  interface Decide {
    spot: string;
    bets: WholeBet[];
    fold: boolean;
  }
  /** What two people decided, when, and why. */
  interface DecidedBy {
    by: [string, string];
    at: number;
    decision: string;
    reason: string;
  }
  /** What was decided and why, by two people. */
  interface Decision {
    id: string;
    decision: string;
    reason: string;
    second?: Signature | null;
  }
  /** A deck at the table as the round began; `commitment` is 0 where there is none. */
  interface DeckBefore {
    name: string;
    back: string;
    design: string;
    stage: "face_down" | "idle" | "in_play" | "inspected" | "player_inspected" | "ready" | "received" | "shuffled" | "shuffling" | "spread_up" | "stacked" | "used" | "verified" | "washed";
    method: string;
    first_used_at: number | null;
    is_cut: boolean;
    commitment: number;
    depths: number[];
  }
  /** A cut: how deep and by whom; or `fixed` by the words of these seats, within these depths, without those that withheld theirs for so many seconds; or forced by a lab. */
  interface DeckCutShown {
    depth: number;
    by: string;
    fixed: boolean;
    forced: boolean;
    seats: number[];
    withheld: number[];
    seconds: number;
    lowest: number;
    deepest: number;
  }
  /** How the cards of a deck look. */
  interface DeckKind {
    design: string;
    back: string;
  }
  /** A deck from outside: its commitment is public, its order is not. */
  interface DeckView {
    deck: string;
    back: string;
    stage: "face_down" | "idle" | "in_play" | "inspected" | "player_inspected" | "ready" | "received" | "shuffled" | "shuffling" | "spread_up" | "stacked" | "used" | "verified" | "washed";
    commitment: number | null;
    root: string | null;
    forced: boolean;
    cut: number[];
    lowest: number;
    deepest: number;
  }
  /** How many decks, of how many cards, and how they look. */
  interface Decks {
    count?: number | null;
    cards?: number | null;
    cover_cards?: number | null;
    each?: DeckKind[];
  }
  /** The table is set aside for its game, and may be opened for play. */
  interface Designate {
    do: "designate";
  }
  /** The shuffler or dealing device: what it does, and whether the regulator approved it. `packets` are the cards of one player's packet, none where the device dispenses none. */
  interface Device {
    shuffler?: boolean | null;
    counts?: boolean | null;
    reshuffles?: boolean | null;
    approved?: boolean;
    packets?: number | null;
    mode?: string;
    feeds_shoe?: boolean;
  }
  /** One thing that two rulebooks do differently, with what each says and its clauses. */
  interface DifferenceText {
    what: string;
    title: string;
    one: Side;
    other: Side;
  }
  /** What differs between two rulebooks. */
  interface Differences {
    one: string;
    other: string;
    status: Record<string, string>;
    title: Record<string, string>;
    differences: DifferenceText[];
  }
  /** A dispute about a round: what it froze, whether that is still so, what was noted, decided. */
  interface Dispute {
    state: string;
    opened: SaidBy;
    evidence: string;
    rows: number[];
    evidence_as_frozen: boolean | null;
    notes: DisputeNote[];
    decided: DecidedBy | null;
  }
  /** What somebody noted about a dispute. */
  interface DisputeNote {
    by: string;
    at: number;
    words: string;
  }
  /** The dispute about a round as it stands now. */
  interface Disputed {
    dispute: Dispute | null;
  }
  /** It is durable; `repeated` where it had been before. */
  interface Done {
    at: number;
    repeated: boolean;
  }
  /** Something that the felt shows, and where. */
  interface DrawnFeature {
    feature: string;
    label?: string;
    place?: "" | "elsewhere" | "some_positions" | "under_table" | "dealers_left" | "dealers_right" | "dealers_side" | "each_position" | "game_manager" | "in_front_of_tray" | "on_table" | "players_side";
  }
  /** The drop box is taken away with so much cash in it. */
  interface Drop {
    do: "drop";
    cents: number;
  }
  /** A play that can be learnt by heart, and what it gives away in antes. */
  interface EasyPlay {
    name: string;
    words: string[];
    cost: string;
  }
  /** A bet of the table as it would be: what the house keeps of it in the long run. */
  interface Edge {
    bet: string;
    paytable: string;
    house_edge: number;
    ev: string;
    hit_frequency: string;
    element_of_risk?: number | null;
    at_wager?: string;
  }
  /** Whose chips the dealer enters, on what, and what was entered. */
  interface EntersBets {
    phase: "betting";
    seats: number[];
    spots: string[];
    ante_cents: number;
    laid: LaidChips[];
  }
  /** Whose decision the dealer enters. */
  interface EntersDecision {
    phase: "deciding";
    seat: number;
    spot: string;
    bets: WholeBet[];
  }
  /** A seat has had its time to decide while others wait: its hand is folded. */
  interface Expire {
    do: "expire";
    seat: number;
    seconds: number;
  }
  /** An amount that a meter showed, and the entries that made it. */
  interface ExplainedAmount {
    meter: string;
    units: number;
    carried_units: number;
    agrees: boolean;
    entries: HistoryLine[];
  }
  /** One result of a seat: on which spots, in words, by which line of which table, and why. `net_cents` is what it changed in the player's own chips, the lost stake included; `paid_cents` what the house paid on top of the stakes, and `source` from where: the tray or the cage, empty where nothing was paid. A `note` changes nothing. */
  interface Explanation {
    seat: number;
    spots: string[];
    result: "corrected" | "lose" | "note" | "push" | "returned" | "win";
    words: string;
    net_cents?: number;
    stake_cents?: number;
    paid_cents?: number;
    source?: "" | "cage" | "tray";
    pays?: string;
    table?: string;
    line?: string;
    cites?: string[];
  }
  /** Shuffler or shoe cannot be used any more. */
  interface FailDevice {
    do: "fail_device";
    reason: string;
  }
  /** What a table's layout says; `spots` are a seat's betting areas as they lie, by their names, each with its label. Nothing is printed for a table that nobody has set up yet. */
  interface Felt {
    rulebook?: string;
    title?: string;
    status?: string;
    game?: string;
    sha256?: string;
    demo?: boolean;
    seats?: number;
    streets?: Street[];
    spots?: Record<string, string>;
    dealer_hand?: boolean;
    limits?: { ante: Limit; unit_cents: number; [name: string]: number | Limit };
    paytables?: PrintedTable[];
    progressive_cents?: number | null;
  }
  /** The configuration: its hash, and the submission that it is the hash of. */
  interface Filed {
    sha256: string;
    submission: Submission;
  }
  /** Chips come from the cage into the tray. */
  interface Fill {
    do: "fill";
    cents: number;
  }
  /** The shuffle is done; a shuffler that counts says how many cards there are. */
  interface FinishShuffle {
    do: "finish_shuffle";
    deck: string;
    count?: number;
  }
  /** The first card is about to be dealt. */
  interface FirstCard {
    do: "first_card";
  }
  /** A visitor's own table, and the visitor's name. */
  interface FirstHand {
    table: string;
    name: string;
  }
  /** What the dealer's hands do at once, before the step. */
  interface FirstTask {
    words: string;
    how: string[];
    cites: string[];
  }
  /** The words that were told fix the cut of the committed deck. A seat that sealed a word and did not tell it in so many seconds is named, and left out. */
  interface FixCut {
    do: "fix_cut";
    without?: number[];
    seconds?: number;
  }
  /** Withdraw. */
  interface Fold {
    do: "fold";
    seat: number;
  }
  /** A lab cuts the deck of a test table where it wants to. */
  interface ForceCut {
    do: "force_cut";
    depth: number;
  }
  /** A lab gives a test table the order that it wants to see. */
  interface ForceDeck {
    do: "force_deck";
    deck: string;
    order: number[];
    salts: string[];
    word: string;
  }
  /** What comes over the WebSocket */
  type Frame = TableFrame | SignFrame | LobbyFrame | LostFrame;
  /** Something that stands at the table: where, attached and approved or not, why elsewhere. */
  interface Furniture {
    item: "automated_shuffler" | "discard_rack" | "drop_box" | "key_switch" | "keypad" | "manual_shoe" | "monitor" | "progressive_controller" | "progressive_sensor" | "reshuffling_device" | "tip_box" | "tray";
    place?: "" | "elsewhere" | "some_positions" | "under_table" | "dealers_left" | "dealers_right" | "dealers_side" | "each_position" | "game_manager" | "in_front_of_tray" | "on_table" | "players_side";
    attached?: boolean | null;
    approved?: boolean | null;
    because?: string;
  }
  /** The key that ends the round. */
  interface GameOver {
    do: "game_over";
  }
  /** A password for somebody who forgot theirs. */
  interface GivenPassword {
    password: string;
  }
  /** Nobody plays: shoe and rack are emptied and the cards spread. */
  interface GoIdle {
    do: "go_idle";
    face_up?: boolean;
  }
  /** How often a hand was hit in so many wagers, its exact chance, and how often that expects. */
  interface HandHit {
    hand: string;
    wagers: number;
    hits: number;
    chance: string | null;
    expected: string | null;
  }
  /** A final hand of the base game: how often it is dealt, and how often it is still in. */
  interface HandShare {
    hand: string;
    dealt: string;
    unfolded: string;
  }
  /** The floor's version, the last row that was taken in, whether all is live; if not, whether what screens show is, and what is behind since when. */
  interface Health {
    version: string;
    head: number;
    live: boolean;
    frames: boolean;
    behind: Behind[];
  }
  /** One thing that happened to a meter, or for it: who, when, where, why, and by how much. */
  interface HistoryLine {
    seq: number;
    number: number;
    at: number;
    day: string;
    who: string;
    table: string;
    kind: string;
    words: string;
    why: string;
    units: number;
    after_units: number;
  }
  /** Something went wrong. `second`: beside whoever decides that a round is void whose cards were seen. */
  interface Incident {
    do: "incident";
    what: string;
    seat?: number;
    place?: string;
    count?: number;
    decision?: "" | "continue" | "void";
  }
  /** Play stops: no power, a device lost, the program started anew. */
  interface Interrupt {
    do: "interrupt";
    reason: string;
  }
  /** The shuffler jams, stops, or does not complete its cycle. */
  interface JamShuffler {
    do: "jam_shuffler";
    deck: string;
  }
  /** A table, set up under its rulebook, plays for this meter from now on. */
  interface JoinMeter {
    do: "join_link";
    table: string;
  }
  /** Base game and progressive played for both at once, in dollars of one round at this ante. */
  interface Jointly {
    ante: string;
    separate: string;
    joint: string;
    gain: string;
    ev: string;
    break_even_meter: string | null;
  }
  /** Something that a meter's keeper asks for, once however often it is sent. */
  interface Keep {
    id: string;
    action: AnyMeterAction;
    second?: Signature | null;
  }
  /** It is durable; `repeated` where it had been before. */
  interface Kept {
    seq: number;
    repeated: boolean;
  }
  /** The verified winner is keyed in, where there is no key switch for it. */
  interface KeyInWinner {
    do: "key_in_winner";
    seat: number;
  }
  /** A hand that was keyed for a seat; who has done what about it. */
  interface KeyedHand {
    seat: number;
    hand: string;
    done: [string, string][];
    said: string[];
  }
  /** Lights for all; for the house also lamps, the key and the press that comes next. */
  interface Keys {
    lights: Record<string, "detected" | "locked" | "off">;
    locked: boolean;
    state?: "HAND_KEYED" | "IDLE_TABLE" | "IN_PLAY" | "JPH" | "LOCKED" | "LOGGED" | "NORMAL_AFTER" | "PAID" | "SUPERVISOR_CALLED" | "VERIFIED_COUNT" | "WIN_VERIFIED";
    key?: "JPH" | "RUN";
    lamps?: KeyedHand[];
    by_accident?: Accident[];
    next?: NextPress;
  }
  /** Chips that were entered for a seat and can be taken off again. */
  interface LaidChips {
    seat: number;
    spot: string;
    cents: number;
  }
  /** The card that was told last: its place, and which card of that place it is. */
  interface LastCard {
    place: string;
    number: number;
  }
  /** The newest award that left a meter; number 0 where none has. */
  interface LastWin {
    number: number;
    cents?: number;
    hand?: string;
    table?: string;
    seat?: number;
  }
  /** A table plays for this meter no longer. */
  interface LeaveMeter {
    do: "leave_link";
    table: string;
  }
  /** A game that somebody wants to learn to deal, with the floor's cards or with a real deck whose cards they tap as they deal them. */
  interface Lesson {
    id: string;
    rulebook: string;
    physical?: boolean;
  }
  /** What a spot takes; None where there is no bound. */
  interface Limit {
    minimum_cents: number | null;
    maximum_cents: number | null;
  }
  /** An entry of the table's record. */
  interface Line {
    number: number;
    at: number;
    by: Actor;
    action: Record<string, any>;
    events: Record<string, any>[];
    test: boolean;
  }
  /** A line with a key by which the same hand is found in another table. */
  interface LineToCompare {
    key: string;
    hand: string;
    pays: string;
  }
  /** A rulebook in one entry of a list. */
  interface Listing {
    id: string;
    title: string;
    game: string;
    status: string;
    standing: string;
    revision: number;
    side_bets: string[];
    paytables: string[];
    struck: string[];
    sha256: string;
    clauses: number;
  }
  /** The house's rulebooks. */
  interface Listings {
    rulebooks: Listing[];
  }
  /** The stacked deck goes into the shoe, the hand or the device. */
  interface Load {
    do: "load";
    deck: string;
  }
  /** The floor from its entrance. */
  interface LobbyFrame {
    kind: "lobby";
    tables: TableLine[];
  }
  /** The dealer presses the key that freezes the progressive wagers. */
  interface LockProgressive {
    do: "lock_progressive";
  }
  /** The ledger cannot be reached: what is shown of this topic is not live. */
  interface LostFrame {
    kind: "lost";
    topic: string;
  }
  /** A commitment of this table, and what became of it until this round was over; `waited` where it was there when the round before ended. */
  interface Made {
    number: number;
    waited: boolean;
    deck: string;
    root: string;
    entry: number;
    fate: "abandoned" | "played" | "waiting";
    reason: string;
  }
  /** The Game Manager's books: meters, tables and the gaming days on record; `private`: the tables that visitors opened for themselves. */
  interface ManagerBooks {
    head: string;
    balances: boolean;
    not_counted_sealed: Record<string, number>;
    tables: TableBook[];
    hits: HandHit[];
    disputes: Record<string, string>;
    meters: MeterAndMembers[];
    days: string[];
    private: string[];
  }
  /** The unusable device is covered, or a sign on it says that it is out of order. */
  interface MarkDevice {
    do: "mark_device";
    how: "covered" | "signed";
  }
  /** Who you are here, by which door you came, and what is in your purse where you have one. */
  interface Me {
    name: string | null;
    door: "administrator" | "auditor" | "dealer" | "manager" | "player" | "supervisor" | "visitor" | null;
    must_change?: boolean;
    purse_cents?: number;
  }
  /** Seats whose payouts can be put right, places whose cards can, seats whose claims can. */
  interface Mending {
    payouts?: number[];
    cards?: Record<string, number>;
    unlit?: number[];
  }
  /** A meter and the tables that play for it; `private`: a visitor's own, or a test's. */
  interface MeterAndMembers {
    meter: string;
    status: "ended" | "in_service" | "not_open" | "out_of_service";
    shows: string;
    units: number;
    reserve_units: number;
    queued_units: number;
    unpaid_units: number;
    paid_ahead_units: number;
    registered_units: number;
    liability_units: number;
    seed_cents: number;
    initial_cents: number;
    wager_cents: number;
    rate_bp: number;
    reserve_bp: number;
    limit?: null;
    envy_cents: number;
    balances: boolean;
    difference_units: number;
    totals: Totals;
    by_day: Record<string, MeterMoves>;
    by_table: Record<string, MeterMoves>;
    members: string[];
    private: boolean;
  }
  /** A meter's books: figures, history and awards; its tables, those that may join it, and the codes that an adjustment names. */
  interface MeterBooks {
    meter: string;
    status: "ended" | "in_service" | "not_open" | "out_of_service";
    shows: string;
    units: number;
    reserve_units: number;
    queued_units: number;
    unpaid_units: number;
    paid_ahead_units: number;
    registered_units: number;
    liability_units: number;
    seed_cents: number;
    initial_cents: number;
    wager_cents: number;
    rate_bp: number;
    reserve_bp: number;
    limit?: null;
    envy_cents: number;
    balances: boolean;
    difference_units: number;
    totals: Totals;
    by_day: Record<string, MeterMoves>;
    by_table: Record<string, MeterMoves>;
    history: HistoryLine[];
    head: string;
    members: string[];
    may_join: string[];
    demo: boolean;
    codes: string[];
    awards: AwardLine[];
  }
  /** What moved a meter in a day or at a table, by kind, and how far the identity is off. */
  interface MeterMoves {
    contributions?: number;
    reversed?: number;
    seeds?: number;
    reserve_transfers?: number;
    awards?: number;
    adjustments?: number;
    reserve_contributions?: number;
    reserve_reversed?: number;
    reserve_adjustments?: number;
    wagers_cents?: number;
    hits?: number;
    won_cents?: number;
    units: number;
    difference_units: number;
  }
  /** The meter of a linked round: what it stood at when the round began, and when it was over. */
  interface MeterSeen {
    name: string;
    before_units: number;
    after_units: number;
  }
  /** A meter as its sign shows it, with the terms that it is played on and its tables; TEST stands over what a laboratory's shows. */
  interface MeterSign {
    kind: "sign";
    link: string;
    shows: "jackpot" | "out_of_service" | "pending";
    cents: number | null;
    award_cents: number | null;
    table: string;
    hand: string;
    next_cents: number | null;
    reserve: string;
    status: "ended" | "in_service" | "not_open" | "out_of_service";
    reason: string;
    seed_cents: number;
    wager_cents: number;
    rate_bp: number;
    reserve_bp: number;
    tables: string[];
    test: boolean;
  }
  /** A meter, in units of a ten thousandth of a cent. */
  interface MeterStands {
    units: number;
    reserve_units: number;
  }
  /** End the meter, and put what it owes onto another one. */
  interface MoveMeter {
    do: "move_link";
    to: string;
    reason: string;
  }
  /** The machine did its part. */
  interface Moved {
    table: string;
    did: string;
  }
  /** An account to be made; its password is changed at the first sign-in. That of somebody who signs for money is made by two, who is alone on the floor by one. */
  interface NewAccount {
    name: string;
    door: "administrator" | "auditor" | "dealer" | "manager" | "player" | "supervisor" | "visitor";
    password: string;
    second?: Signature | null;
  }
  /** The old one, and the one that takes its place. */
  interface NewPassword {
    old: string;
    new: string;
  }
  /** A table to be opened. At a demo table programs do the house's part; at any other, people do, and a second one approves what was chosen; it plays for its meter from the first round on. */
  interface NewTable {
    id: string;
    name: string;
    rulebook: string;
    choices?: Record<string, string | number | boolean>;
    demo?: boolean;
    physical?: boolean;
    bots?: number;
    second?: Signature | null;
  }
  /** The key that comes next, and whose it is. */
  interface NextPress {
    by: string;
    press: string;
    cites: string[];
  }
  /** Something to remember about a dispute. */
  interface Note {
    id: string;
    words: string;
  }
  /** The rules refuse the round: nothing is owed, and why. */
  interface NothingOwed {
    rulebook: string;
    spots?: any[];
    net?: string;
    refused: RefusedRound;
  }
  /** Something to know: overdue, or due in so many seconds. */
  interface Notice {
    words: string;
    cites?: string[];
    seconds_left?: number | null;
    overdue?: boolean;
  }
  /** The figures of every bet of a rulebook that was asked for. */
  interface OddsFigures {
    rulebook: string;
    bets: BetFigures[];
    not_offered?: RefusedBet[];
  }
  /** An action that would be granted now, the bounds of its arguments, the clauses of the step. */
  interface Offered {
    do: string;
    arguments: Record<string, Bounds>;
    cites: string[];
  }
  /** A side bet, and the pay tables that it can be played by. */
  interface OfferedBet {
    bet: string;
    label: string;
    paytables: string[];
  }
  /** A rulebook that a table can be opened under. */
  interface OfferedBook {
    id: string;
    title: string;
    game: string;
    status: string;
  }
  /** A side bet of a rulebook, with the pay tables that it may have. */
  interface OfferedSideBet {
    bet: string;
    label: string;
    paytables: string[];
    cites: string[];
  }
  /** A wager of the progressive, with the seed and the rate that belong to it. */
  interface OfferedWager {
    paytable: string;
    wager: string | number | boolean | null;
    seed: string | number | boolean | null;
    rate: string | number | boolean | null;
  }
  /** Everything that you may ask for at a table, after so many entries. */
  interface Offers {
    table: string;
    at: number;
    offers: Offered[];
  }
  /** Something asked for once, however often it is sent. */
  interface Once {
    id: string;
  }
  /** The gaming day begins with the tray counted. */
  interface OpenDay {
    do: "open_day";
    date: string;
    tray_cents: number;
  }
  /** Set up a meter; it begins at its seed, or higher. */
  interface OpenMeter {
    do: "open_link";
    link: string;
    seed_cents: number;
    wager_cents: number;
    rate_bp: number;
    reserve_bp: number;
    initial_cents?: number | null;
  }
  /** The table as it was opened. */
  interface Opened {
    table: string;
    demo: boolean;
  }
  /** A place of the committed deck, opened. */
  interface OpenedCard {
    position: number;
    card: string;
    salt: string;
  }
  /** An option with its bounds, its default and where that comes from, and its clauses; amounts and rates as files write them. What its kind does not have is left out. */
  interface OptionInFull {
    kind: "choice" | "flag" | "integer" | "money" | "rate" | "text";
    meaning: string;
    default: string | number | boolean | null;
    fixed: boolean;
    cites: string[];
    note: string;
    default_from?: string | null;
    default_when?: Record<string, string | boolean>;
    must_be_stated?: boolean;
    none_allowed?: boolean;
    choices?: (string | number | boolean | null)[];
    minimum?: string | number | boolean | null;
    maximum?: string | number | boolean | null;
  }
  /** The floor has the cards cut again before any is dealt. */
  interface OrderRecut {
    do: "order_recut";
    deck: string;
    reason: string;
  }
  /** The floor has the cards shuffled. */
  interface OrderShuffle {
    do: "order_shuffle";
    deck: string;
    reason: string;
  }
  /** The same play with choices that are worth the same decided the other way. */
  interface OtherTies {
    ties: string;
    average_wager: string;
    element_of_risk: number;
    element_of_risk_exact: string;
  }
  /** What a round can come to, in antes, and its chance. */
  interface Outcome {
    net: string;
    probability: string;
  }
  /** A claim with the light off is allowed after all, as a dispute that was decided. */
  interface OverrideUnlit {
    do: "override_unlit";
    seat: number;
    reason: string;
  }
  /** What the seat is owed, in dollars. */
  interface Owed {
    rulebook: string;
    spots: OwedSpot[];
    notes: OwedNote[];
    owed: string;
    paid_from: PaidFrom;
    net: string;
  }
  /** Something else that the round came to. */
  interface OwedNote {
    words: string;
    cites: string[];
  }
  /** One spot: what lay there, what became of it, what it pays, and why. */
  interface OwedSpot {
    spot: string;
    stake: string;
    outcome: string;
    pays: string;
    paid: string;
    source: "" | "cage" | "tray";
    owed: string;
    net: string;
    paytable: string;
    cites: string[];
    words: string;
  }
  /** The progressive's keypad as a rulebook has it. */
  interface Pad {
    keys: string[];
    per_seat: boolean;
    lock: PadKey;
    over: PadKey;
    switch: boolean;
    hands: PadHand[];
    cites: string[];
  }
  /** A hand that has a key, and what it pays. */
  interface PadHand {
    hand: string;
    pays: string;
  }
  /** A key of the pad, and what is printed on it. */
  interface PadKey {
    key: string;
    printed: string;
  }
  /** What leaves the tray, what the cage pays, where all of it comes from in words, and what becomes of the cards where the cage pays. */
  interface PaidFrom {
    tray: string;
    cage: string;
    words: string;
    cards: string;
  }
  /** A seat is paid; what does not come from the tray names the document of its payment. */
  interface PayAward {
    do: "pay_award";
    seat: number;
    document?: string;
  }
  /** A line of the pay table: in how many ways it comes, and what it returns. */
  interface PayLine {
    hand: string;
    pays: string;
    combinations: number;
    probability: string;
    net: string;
    returns: string;
  }
  /** One seat's round: bets and cards. `bets` are multiples of the ante at each decision; fewer than there are decisions: folded after them; none given: the smallest at every one. */
  interface PayoutQuestion {
    rulebook: string;
    ante: string;
    bets?: string | null;
    cards?: string;
    board?: string;
    box?: string;
    dealer?: string;
    side_bets?: Record<string, string>;
    meter?: string | null;
    table?: string[];
  }
  /** The felt after an entry: the round, the controller's key, and each seat's light. */
  interface Picture {
    entry: number;
    round: RoundView;
    key: "JPH" | "RUN";
    lights: Record<string, "detected" | "locked" | "off">;
  }
  /** The felt after each entry, what is printed on it, and what the rulebook's clauses say. */
  interface Pictured {
    pictures: Picture[];
    felt: Felt;
    clauses: Record<string, CitedClause>;
  }
  /** A chip on a seat's sensor. */
  interface PlaceChip {
    do: "place_chip";
    seat: number;
    cents: number;
    player?: string;
  }
  /** The base game goes on while the meter is out of service; the chips go back. */
  interface PlayWithout {
    do: "play_without";
    round?: number;
  }
  /** Something that players can read, and where. */
  interface PostedSign {
    shows: "all_odds" | "base_pay_table" | "placard" | "progressive_pay_table" | "rules_of_play" | "street_multiples";
    where: "booklet" | "layout" | "placard" | "sign" | "video_sign";
  }
  /** One of the opening steps is done with a deck; an inspection says what it found. */
  interface Prepare {
    do: "prepare";
    deck: string;
    step: string;
    defects?: string;
  }
  /** The key of a hand, for a seat; pressed again it takes the press back. */
  interface PressHand {
    do: "press_hand";
    seat: number;
    hand: string;
  }
  /** The win is recorded and its amount fixed. */
  interface PressJPot {
    do: "press_j_pot";
  }
  /** What a choice comes to: every problem, or the edge of every bet. */
  interface Preview {
    rulebook: string;
    problems: ChoiceProblem[];
    notices: ChoiceProblem[];
    edges: Edge[];
  }
  /** The money bag. */
  interface PrintWinPage {
    do: "print_win_page";
  }
  /** What the document prints, where something else is played. */
  interface Printed {
    ev: string;
    house_edge: number;
  }
  /** A line of a pay table, in words. */
  interface PrintedLine {
    hand: string;
    pays: string;
  }
  /** A pay table as it is printed, of a side bet or of the base game. */
  interface PrintedTable {
    id: string;
    bet: string;
    lines: PrintedLine[];
  }
  /** Why not, in words, with the clauses of the rulebook that say so. */
  interface Problem {
    code: string;
    words: string;
    cites?: string[];
  }
  /** The commitment to the deck and the house's word, the players' words, the cuts; how many cards were left out or burned, then where each went; the opened ones, and what was checked. */
  interface Proof {
    number: number;
    root: string;
    leaves: string[];
    house: string;
    word: string;
    words: SealedWord[];
    cuts: DeckCutShown[];
    skipped: number;
    dealt: DealtCard[];
    openings: OpenedCard[];
    checks: ProofCheck[];
  }
  /** Whether something agrees, and where it does not. */
  interface ProofCheck {
    what: string;
    holds: boolean;
    found: string[];
  }
  /** A change of the configuration that waits. */
  interface ProposalBefore {
    number: number;
    by: string;
    approved_by: string;
    sha256: string;
    submission: Submission;
  }
  /** A configuration for this table, or a change of it. */
  interface Propose {
    do: "propose";
    submission: Submission;
  }
  /** Nobody waits for your bets any more. */
  interface Ready {
    ready?: boolean;
  }
  /** A deck comes to the table. */
  interface ReceiveDeck {
    do: "receive_deck";
    deck: string;
    back: string;
    design?: string;
    preshuffled?: boolean;
  }
  /** Why a table does not take a bet, with the clauses that say so. */
  interface Refusal {
    code: string;
    words: string;
    cites: string[];
  }
  /** A bet that the table does not take as it was asked for. */
  interface RefusedBet {
    bet: string;
    paytable: string;
    wager?: string;
    refused: Refusal;
  }
  /** Why no table would take this. */
  interface RefusedRound {
    code: string;
    words: string;
    cites: string[];
  }
  /** The chip is taken off the sensor again. */
  interface RemoveChip {
    do: "remove_chip";
    seat: number;
  }
  /** A deck leaves the table: too old, defective, or on the floor's order. */
  interface RemoveDeck {
    do: "remove_deck";
    deck: string;
    reason: string;
  }
  /** A result of a seat, in words and in dollars, and by which clauses. */
  interface ReplayedResult {
    seat: number;
    spots: string[];
    result: string;
    words: string;
    net: string;
    cites: string[];
  }
  /** A physical card as it leaves the shoe: dealt, found face up, or drawn in error. */
  interface ReportCard {
    do: "report_card";
    card: number;
    how?: "dealt" | "drawn_in_error" | "face_up";
  }
  /** An irregularity that would be taken a report of: where, and what follows there; each of them in words too. */
  interface Reportable {
    what: string;
    title: string;
    at: At[];
    where: string[];
    follows: string;
    then: string;
    cites: string[];
  }
  /** The device works again, and the table goes back to its own methods. */
  interface RestoreDevice {
    do: "restore_device";
  }
  /** What the round came to, later corrections included. */
  interface Results {
    seats: Record<string, SeatResult>;
    tray_cents: number;
    cage_cents: number;
    tip_box_cents: number;
    meter_after: MeterStands;
  }
  /** End the meter, and register what it owes. */
  interface RetireMeter {
    do: "retire_link";
    reason: string;
  }
  /** A finished round. */
  interface RoundLine {
    table: string;
    round: number;
    at: number;
    rulebook: string;
    void: boolean;
    seats: SeatLine[];
    dealer: string;
    own?: boolean;
  }
  /** Finished rounds, newest first. */
  interface RoundList {
    rounds: RoundLine[];
  }
  /** A round as somebody sees it; a card that is hidden is None. */
  interface RoundView {
    rulebook: string;
    viewer: number | "dealer" | "rail";
    phase: "betting" | "closed" | "deciding" | "locked" | "over" | "ready" | "settled" | "settling" | "turning" | "void";
    turn: number | null;
    decision: string | null;
    meter_cents: number | null;
    tip_box_cents: number;
    community: (string | null)[];
    box: (string | null)[];
    dealer: (string | null)[];
    burned: number;
    seats: Record<string, SeatView>;
    blocked: boolean;
    suspended: boolean;
    deck_removed: boolean;
  }
  /** A row of the ledger that the round rests on. */
  interface RowName {
    seq: number;
    stream: string;
    hash: string;
  }
  /** A rule: its place in the file, what it says in words and as values, and by which clauses. */
  interface RuleText {
    path: string;
    says: Record<string, string>;
    values: Record<string, any>;
    cites: string[];
    note: string;
  }
  /** A rulebook with its rules and clauses, its side bets, and the options of an operator. */
  interface RulebookInFull {
    id: string;
    title: string;
    game: string;
    status: string;
    standing: string;
    revision: number;
    side_bets: string[];
    paytables: string[];
    struck: string[];
    sha256: string;
    document_sha256: string;
    rules: RuleText[];
    clauses: ClauseText[];
    ambiguities: Record<string, string>;
    offers: OfferedSideBet[];
    options: Record<string, OptionInFull>;
  }
  /** The rulebook that was played by. */
  interface RulebookNamed {
    id: string;
    revision: number;
    sha256: string;
  }
  /** Whose time runs, how many seconds were left when the frame was made, and of how many. */
  interface RunningClock {
    seat: number;
    left: number;
    of: number;
  }
  /** Who opened a dispute, when, and why. */
  interface SaidBy {
    by: string;
    at: number;
    reason: string;
  }
  /** The order that an electronic shuffle came to and the house's word for its cut, committed to before any bet. */
  interface SealDeck {
    do: "seal_deck";
    deck: string;
    order: number[];
    salts: string[];
    word: string;
  }
  /** The seal of a word that a seat sent with its bet, and the word if it was told. */
  interface SealedWord {
    seat: number;
    seal: string;
    word: string | null;
  }
  /** Every choice with what it is worth over the whole round, best play after it. */
  interface SeatAdvice {
    spot: string;
    best: string;
    choices: Record<string, Worth>;
  }
  /** What a seat's decisions cost against the best play, one by one and together. */
  interface SeatCosts {
    seat: number;
    decisions: Cost[];
    cost: Worth | null;
    words: string;
  }
  /** Somebody in a round, and what it came to. */
  interface SeatLine {
    seat: number;
    name: string;
    net_cents: number;
    program?: boolean;
  }
  /** What a seat won or lost, together and by spot. */
  interface SeatResult {
    player: string;
    net_cents: number;
    spots_cents: Record<string, number>;
  }
  /** A seat in a round: its chips, what they came to so far, its cards; one that is hidden is None. */
  interface SeatView {
    player: string;
    status: "folded" | "forfeit" | "in";
    wagers_cents: Record<string, number>;
    progressive_lit: boolean;
    cards: (string | null)[];
    cards_kept: boolean;
    net_cents: number;
    results_cents: Record<string, number>;
  }
  /** The dealer settles one spot: what is given to the player, stake included. */
  interface Settle {
    do: "settle";
    seat: number;
    spot: string;
    given_cents: number;
  }
  /** An automatic dealer does exactly what is owed, in order. */
  interface SettleAll {
    do: "settle_all";
  }
  /** A manual dealing shoe, and whether its place is approved. */
  interface Shoe {
    place?: "" | "elsewhere" | "some_positions" | "under_table" | "dealers_left" | "dealers_right" | "dealers_side" | "each_position" | "game_manager" | "in_front_of_tray" | "on_table" | "players_side";
    approved?: boolean;
  }
  /** An option as a form needs it: kind, default, bounds, and whether the document decides it. */
  interface ShownOption {
    kind: string;
    meaning: string;
    default: string | number | boolean | null;
    fixed: boolean;
    choices?: (string | number | boolean | null)[];
    minimum?: string | number | boolean | null;
    maximum?: string | number | boolean | null;
    none_allowed?: boolean;
  }
  /** What one rulebook says, and where it takes it from; no words where it has no such rule. */
  interface Side {
    says: string;
    cites: string[];
  }
  /** What a meter's sign shows: an amount only where it can be won now, else the award that all wait for and what comes after it, or that the meter is out of service. */
  interface SignFrame {
    kind: "sign";
    link: string;
    shows: "jackpot" | "out_of_service" | "pending";
    cents: number | null;
    award_cents: number | null;
    table: string;
    hand: string;
    next_cents: number | null;
    reserve: string;
  }
  /** A name and its password. */
  interface SignIn {
    name: string;
    password: string;
  }
  /** The second person, who signs for this one thing and gets no session by it. */
  interface Signature {
    name: string;
    password: string;
  }
  /** Somebody who signs for money; `may_approve`: you may say that this is who they say. */
  interface SignerLine {
    name: string;
    door: "administrator" | "auditor" | "dealer" | "manager" | "player" | "supervisor" | "visitor";
    must_change: boolean;
    closed: boolean;
    signs?: boolean;
    counts?: boolean;
    counts_from?: number;
    waits_for?: string;
    makers?: string[];
    may_approve: boolean;
  }
  /** Everybody who signs for money, by name, and from when they count as one of two people. */
  interface SignerList {
    signers: SignerLine[];
  }
  /** Every meter as its sign shows it. */
  interface Signs {
    meters: MeterSign[];
  }
  /** A way to play that is easier than the best one, and what it gives away, in antes. */
  interface SimplerPlay {
    name: string;
    words: string[];
    ev: string;
    cost: string;
  }
  /** A player takes a seat. */
  interface SitDown {
    do: "sit_down";
    seat: number;
  }
  /** What a player knows when a decision is due. */
  interface Situation {
    rulebook: string;
    cards: string;
    board?: string;
    bets?: string;
    upcard?: string;
    know?: string;
    wager?: string | null;
    minimum?: string | null;
    table?: string[];
  }
  /** A player gives up a seat between rounds. */
  interface StandUp {
    do: "stand_up";
    seat: number;
  }
  /** Bets are open. */
  interface StartRound {
    do: "start_round";
  }
  /** A deck is shuffled, as this table is set up to do it. */
  interface StartShuffle {
    do: "start_shuffle";
    deck: string;
  }
  /** One thing that happened, or was refused, when it was put down, and the row that says so. */
  interface Step {
    seq: number;
    entry: number;
    at: number;
    who: string;
    kind: "done" | "key" | "meter" | "refused" | "sensor";
    what: string;
    cites: string[];
  }
  /** A decision of the game: its spot, and the multiples of the ante that may be bet there. */
  interface Street {
    spot: string;
    multiples: number[];
  }
  /** Everything that an operator files about a table. `without` names features, items and signs of the standard table that this one has not. */
  interface Submission {
    rulebook: string;
    name?: string;
    table?: Record<string, string | number | boolean>;
    decks?: Decks;
    shuffle?: "automated" | "continuous" | "manual" | null;
    device?: Device | null;
    shoe?: Shoe | null;
    layout?: DrawnFeature[] | null;
    equipment?: Furniture[] | null;
    signs?: PostedSign[] | null;
    without?: string[];
    approvals?: Approvals;
    cards?: "electronic" | "physical";
    demo?: boolean;
    test?: boolean;
  }
  /** A table's gaming day with its sums, and whether tray, drop and entries agree. */
  interface TableBook {
    table: string;
    day: string;
    game: string;
    rulebook: string;
    link: string;
    closed: boolean;
    rounds: number;
    void_rounds: number;
    decided_void_rounds: number;
    coin_in_cents: number;
    progressive_coin_in_cents: number;
    opening_cents: number;
    fills: number[];
    credits: number[];
    bought_in_cents: number;
    drop_cents: number;
    closing_cents: number;
    expected_cents: number;
    rounds_cents: number;
    tray_awards_cents?: number;
    meter_awards_cents?: number;
    off_tray_cents?: number;
    envy?: number;
    envy_cents?: number;
    breakage_cents?: number;
    tips_cents?: number;
    lost_cents?: number;
    borne?: Borne[];
    configurations?: [string, string][];
    opened_at?: number;
    opened_by?: Actor;
    closed_at?: number;
    closed_by?: Actor;
    test?: boolean;
    hits: HandHit[];
    fills_cents: number;
    credits_cents: number;
    win_cents: number;
    tray_difference_cents: number;
    drop_difference_cents: number;
    entries_difference_cents: number;
    balances: boolean;
  }
  /** What an operator chooses under a rulebook; `base` is what its base game is called. */
  interface TableChoices {
    rulebook: string;
    offers: OfferedBet[];
    base: string;
    wagers: OfferedWager[];
    options: Record<string, ShownOption>;
  }
  /** A table as you see it; `at` counts its entries, and `console` is there for the house. */
  interface TableFrame {
    kind: "table";
    table: string;
    test: boolean;
    demo: boolean;
    uncommitted: boolean;
    state: string;
    rulebook: string | null;
    rulebook_sha256: string | null;
    configuration_sha256: string | null;
    date: string;
    dealer: string;
    seated: Record<string, string>;
    round_number: number;
    decks: DeckView[];
    words: Record<string, WordView>;
    round: RoundView | null;
    at_once: TaskView[];
    tasks: TaskView[];
    notices: Notice[];
    interrupted: string | boolean;
    at: number;
    keys: Keys | null;
    sign: SignFrame | null;
    you: You | null;
    clock: RunningClock | null;
    console?: Console;
  }
  /** A table from the entrance; one that is not set up has nothing but that to say. */
  interface TableLine {
    table: string;
    state?: "not set up";
    rulebook?: string;
    title?: string;
    game?: string;
    demo?: boolean;
    test?: boolean;
    open?: boolean;
    minimum_cents?: number | null;
    maximum_cents?: number | null;
    seats?: number;
    seated?: number;
    side_bets?: string[];
    link?: string | null;
    round?: number;
    slow?: boolean;
  }
  /** A pay table of a rulebook, line by line. */
  interface TableToCompare {
    id: string;
    bet: string;
    playable: boolean;
    lines: LineToCompare[];
  }
  /** The floor's tables; `own`: those that a visitor has opened, which nobody else sees. */
  interface Tables {
    kind: "lobby";
    tables: TableLine[];
    own: TableLine[];
  }
  /** Take one's own chips off a spot while betting is open. */
  interface TakeBack {
    do: "take_back";
    seat: number;
    spot: string;
  }
  /** Take no wagers for this meter. */
  interface TakeOutOfService {
    do: "take_link_out";
    reason: string;
  }
  /** The part that somebody wants to do at a demo table; an empty one gives it back. */
  interface TakeOver {
    id: string;
    role: "" | "dealer" | "supervisor";
  }
  /** What one does where. */
  interface Taken {
    table: string;
    role: string;
  }
  /** What somebody has to do, or may; `do` is the kind of action that does it. */
  interface TaskView {
    who: "dealer" | "floorperson" | "lab" | "player" | "supervisor" | "system";
    seat: number | null;
    words: string;
    say: string;
    how: string[];
    cites: string[];
    optional: boolean;
    do: string | null;
  }
  /** The time of day, in seconds; it never goes back. */
  interface TellTime {
    do: "tell_time";
    at: number;
  }
  /** A player tells the word that was sealed with a bet, now that no bet can follow. */
  interface TellWord {
    do: "tell_word";
    seat: number;
    word: string;
  }
  /** A finished round with the proof of its cards; none where physical cards were dealt. */
  interface ToldRound {
    table: string;
    round: number;
    rulebook: string;
    rulebook_sha256: string;
    configuration_sha256: string;
    commitment: number;
    void: boolean;
    players: Record<string, string>;
    cards: Record<string, string>;
    dealer: string;
    community: string;
    meter: MeterSeen | null;
    steps: Step[];
    results: ReplayedResult[];
    rows: RowName[];
    evidence: string;
    dispute: Dispute | null;
    proof: Proof | null;
  }
  /** Play money, once for an id. */
  interface TopUp {
    id: string;
    cents: number;
  }
  /** Sums of all that has happened, in units; what has come in, was hit and won never falls. */
  interface Totals {
    contributions?: number;
    reversed?: number;
    seeds?: number;
    reserve_transfers?: number;
    awards?: number;
    adjustments?: number;
    reserve_contributions?: number;
    reserve_reversed?: number;
    reserve_adjustments?: number;
    wagers_cents?: number;
    hits?: number;
    won_cents?: number;
  }
  /** Something that stops a table: the action, with the deck and the reason that it wants. */
  interface Trouble {
    do: string;
    words: string;
    deck?: string;
    reason?: boolean;
  }
  /** The dealer turns what comes next: a community card, the dealer's hand, or all the rest. */
  interface Turn {
    do: "turn";
  }
  /** The supervisor's key: JPH halts the table, RUN goes on. */
  interface TurnKey {
    do: "turn_key";
    to: "JPH" | "RUN";
  }
  /** Another way to shuffle and deal while the device is out of use. */
  interface UseMethod {
    do: "use_method";
    dealing: string;
    shuffle: string;
  }
  /** Hand, light and wager of a seat are as they must be. */
  interface VerifyWin {
    do: "verify_win";
    seat: number;
  }
  /** The seat that this document was made for, and what it was shown of every place. */
  interface View {
    seat: number;
    shown: Record<string, (string | null)[]>;
  }
  /** No hand counts: by the floor's word, or by an incident that voids the round. `second`: beside whoever decides it once cards were seen. */
  interface VoidRound {
    do: "void_round";
    reason?: string;
    incident?: Incident | null;
  }
  /** Put chips on a spot of a seat: ante, side bet, progressive, or a tip. With them may go the seal of a word of the player's own, for the cut of a committed deck. */
  interface Wager {
    do: "wager";
    seat: number;
    spot: string;
    cents: number;
    player?: string;
    instrument?: string;
    seal?: string;
  }
  /** The house edge as it is, and as it would be with one line changed. */
  interface WhatIf {
    rulebook: string;
    line: number;
    pays: string;
    house_edge: number;
    house_edge_exact: string;
    as_printed: number;
  }
  /** A decision to stay in, as people say it: so many times the ante, and what that comes to. */
  interface WholeBet {
    times: number;
    cents: number;
  }
  /** The results of your seat in a round, in words, and what the clauses that decided them say; of an earlier round also which seat, and the felt as you saw it last. */
  interface Why {
    round: number;
    results?: Explanation[];
    clauses?: Record<string, CitedClause>;
    seat?: number;
    seen?: RoundView;
  }
  /** What was proposed is dropped. */
  interface Withdraw {
    do: "withdraw";
    number: number;
  }
  /** The seal of a word for the cut that came with a seat's bet; the word, once it is told. */
  interface WordView {
    seal: string;
    word: string | null;
  }
  /** One thing that waits: where, in which words, by which clauses; `do` is the ready action. `account`: whose, which is at no table. */
  interface Work {
    kind: "account" | "award" | "dispute" | "interrupted" | "overdue" | "step";
    table: string;
    words: string;
    who?: string;
    cites?: string[];
    round?: number;
    award?: string;
    cents?: number;
    do?: { do: string; [name: string]: any } | null;
    demo?: boolean;
    optional?: boolean;
    account?: string;
  }
  /** Everything that waits, the most pressing first. */
  interface Worklist {
    work: Work[];
  }
  /** A value: exactly, in antes, and for showing, to a hundredth of a cent. */
  interface Worth {
    antes: string;
    cents: number;
  }
  /** A finished round as a file, with the hash of all the rest. */
  interface WrittenRound {
    format: "riverboat round";
    version: 1;
    riverboat: string;
    table: string;
    test: boolean;
    round: number;
    cards: "electronic" | "physical";
    fairness: "committed" | "uncommitted";
    view: View | null;
    rulebook: RulebookNamed;
    configuration: Filed;
    meter_before: MeterStands;
    before: Before;
    deck: string;
    commitment: CommittedDeck | null;
    cuts: CutMade[];
    left_out: string[];
    commitments: Commitments;
    entries: Line[];
    results: Results;
    sha256: string;
  }
  /** What you may do at this table now, with the bounds; what is in your purse. */
  interface You {
    name: string;
    seat: number | null;
    purse_cents: number;
    sits: number[];
    stands: boolean;
    asked?: AskedOfYou[];
    betting?: boolean;
    waits?: string;
    areas?: Record<string, Area>;
    decide?: Decide;
    most_cents?: number;
  }
  /** What the payout check asks for under a rulebook: decisions, side bets, cards by place. */
  interface AskedOfBook {
    id: string;
    title: string;
    notice: string;
    game: string;
    ante: string;
    stages: AskedStage[];
    side_bets: AskedBet[];
    schedules: AskedSchedule[];
    places: Record<string, number>;
  }
  /** A decision: its spot, its label, the multiples of the ante. */
  interface AskedStage {
    spot: string;
    label: string;
    multiples: number[];
  }
  /** A side bet; `box` where cards of the box decide it. */
  interface AskedBet {
    bet: string;
    label: string;
    paytables: string[];
    box: boolean;
  }
  /** A pay table of the progressive and its wager. */
  interface AskedSchedule {
    paytable: string;
    wager: string;
  }
  type GetAnswer<P extends string> =
    P extends `${infer Path}?${string}` ? GetAnswer<Path> :
    P extends `/api/tables/${string}/rounds/${string}/coach` ? Coached :
    P extends `/api/tables/${string}/rounds/${string}/evidence` ? WrittenRound :
    P extends `/api/tables/${string}/rounds/${string}/pictures` ? Pictured :
    P extends `/api/rulebooks/${string}/against/${string}` ? Differences :
    P extends `/api/tables/${string}/rounds/${string}` ? ToldRound :
    P extends `/api/meters/${string}/cent` ? ExplainedAmount :
    P extends `/api/meters/${string}/sign` ? MeterSign :
    P extends `/api/odds/${string}/what-if` ? WhatIf :
    P extends `/api/tables/${string}/advice` ? SeatAdvice :
    P extends `/api/tables/${string}/explain` ? Why :
    P extends `/api/tables/${string}/felt` ? Felt :
    P extends `/api/tables/${string}/offers` ? Offers :
    P extends `/api/tables/${string}/rounds` ? RoundList :
    P extends `/api/meters/${string}` ? MeterBooks :
    P extends `/api/odds/${string}` ? OddsFigures :
    P extends `/api/rulebooks/${string}` ? RulebookInFull :
    P extends `/api/strategy/${string}` ? BestPlay :
    P extends `/api/tables/${string}` ? TableFrame :
    P extends `/lobby/choices/${string}` ? TableChoices :
    P extends `/odds/${string}/tables` ? TableToCompare[] :
    P extends `/settle/${string}/clauses` ? Record<string, CitedClause> :
    P extends `/sign/${string}/last-win` ? LastWin :
    P extends `/api/accounts` ? AccountList :
    P extends `/api/books` ? ManagerBooks :
    P extends `/api/dealers` ? Dealers :
    P extends `/api/me` ? Me :
    P extends `/api/meters` ? Signs :
    P extends `/api/rounds` ? RoundList :
    P extends `/api/rulebooks` ? Listings :
    P extends `/api/signers` ? SignerList :
    P extends `/api/tables` ? Tables :
    P extends `/api/worklist` ? Worklist :
    P extends `/lobby/choices` ? OfferedBook[] :
    P extends `/health` ? Health :
    { no_such_route: P };
  type PostAnswer<P extends string> =
    P extends `${infer Path}?${string}` ? PostAnswer<Path> :
    P extends `/api/tables/${string}/rounds/${string}/dispute/decision` ? Disputed :
    P extends `/api/tables/${string}/rounds/${string}/dispute/notes` ? Disputed :
    P extends `/api/tables/${string}/rounds/${string}/dispute` ? Disputed :
    P extends `/api/accounts/${string}/close` ? AccountList :
    P extends `/api/accounts/${string}/password` ? AccountList :
    P extends `/api/meters/${string}/commands` ? Kept :
    P extends `/api/signers/${string}/approval` ? SignerList :
    P extends `/api/tables/${string}/commands` ? Done :
    P extends `/api/tables/${string}/machine` ? Moved :
    P extends `/api/tables/${string}/ready` ? Ready :
    P extends `/api/tables/${string}/take-over` ? Taken :
    P extends `/api/tables/preview` ? Preview :
    P extends `/api/accounts` ? AccountList :
    P extends `/api/advice` ? Advised :
    P extends `/api/first-hand` ? FirstHand :
    P extends `/api/jackpot` ? Taken :
    P extends `/api/lessons` ? Taken :
    P extends `/api/password` ? Me :
    P extends `/api/purse` ? Me :
    P extends `/api/settle` ? Owed | NothingOwed :
    P extends `/api/sign-in` ? Me :
    P extends `/api/sign-out` ? Me :
    P extends `/api/tables` ? Opened :
    P extends `/api/visit` ? Me :
    { no_such_route: P };
}
