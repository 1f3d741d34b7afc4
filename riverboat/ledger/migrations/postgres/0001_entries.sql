create table schema_step (
    number integer primary key,
    name text not null,
    sha256 text not null
);

create table entry (
    seq bigint primary key,
    stream text collate "C" not null,
    version bigint not null,
    command_id text collate "C" not null,
    actor text not null,
    recorded_at bigint not null,
    command text not null,
    body text not null,
    hash bytea not null check (length(hash) = 32),
    unique (stream, version),
    unique (command_id, stream)
);

create table signed_head (
    number bigint primary key,
    seq bigint not null,
    hash bytea not null,
    signed_at bigint not null,
    public_key bytea not null,
    signature bytea not null
);

create function refuse_change() returns trigger language plpgsql as $$
begin
    raise exception 'the ledger is append-only' using errcode = 'restrict_violation';
end
$$;

create trigger entry_stays before update or delete or truncate on entry
    for each statement execute function refuse_change();
create trigger head_stays before update or delete or truncate on signed_head
    for each statement execute function refuse_change();

-- One writer at a time, so that commit order is the order of the numbers and a reader who goes on
-- after the last number that he saw misses nothing. The lock belongs to this table, is held until the
-- transaction is durable, and does not stand in the way of vacuum as a table lock would.
create function lock_entries() returns void language sql as $$
    select pg_advisory_xact_lock(1380341314, 'entry'::regclass::oid::integer);
$$;

-- Appends a batch: request n writes firsts[n] .. lasts[n] of places, expected and bodies; a place is an
-- index into streams. No command id and no stream is given twice. Everything is decided on this side
-- of the wire, because a client that is scheduled away while it holds the lock would stop every other
-- writer; and with few statements for many requests, because those are what costs time here.
-- One line of the answer for each write that was done, and one for each request that was not: 'repeated',
-- 'conflict' or 'stale' (with the write and the version that its stream has). The chain is that of
-- riverboat/ledger/chain.py; the database is encoded in UTF-8, so octet_length is the length of a field.
create function append_entries(
    command_ids text[], actors text[], recorded_ats bigint[], commands text[],
    firsts integer[], lasts integer[], streams text[], places integer[], expected bigint[], bodies text[]
) returns table (request integer, outcome text, write integer, seq bigint, version bigint, hash bytea)
language plpgsql
-- Planned once and by index, however empty the table was when the connection was made.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
    last_seq bigint;
    last_hash bytea;
    is_known boolean[];
    versions bigint[];
    command_fields bytea;
    digits text;
    requests_done integer[] := '{}';
    writes_done integer[] := '{}';
    seqs_done bigint[] := '{}';
    versions_done bigint[] := '{}';
    hashes_done bytea[] := '{}';
begin
    perform lock_entries();
    select e.seq, e.hash into last_seq, last_hash from entry e order by e.seq desc limit 1;
    if last_seq is null then
        last_seq := 0;
        last_hash := sha256(int4send(19) || 'riverboat ledger v1');
    end if;
    select array_agg(exists (select 1 from entry e where e.command_id = c.id) order by c.n)
        into is_known from unnest(command_ids) with ordinality c (id, n);
    select array_agg(coalesce((select max(e.version) from entry e where e.stream = s.name), 0) order by s.n)
        into versions from unnest(streams) with ordinality s (name, n);
    <<each_request>>
    for n in 1 .. cardinality(command_ids) loop
        if is_known[n] then
            request := n;
            select case when e.actor = actors[n] and e.command = commands[n]
                   then 'repeated' else 'conflict' end
                into outcome from entry e where e.command_id = command_ids[n] limit 1;
            return next;
            continue;
        end if;
        for w in firsts[n] .. lasts[n] loop
            if expected[w] <> versions[places[w]] then
                request := n;
                outcome := 'stale';
                write := w;
                version := versions[places[w]];
                return next;
                continue each_request;
            end if;
        end loop;
        digits := recorded_ats[n]::text;
        command_fields :=
            int4send(octet_length(command_ids[n])) || convert_to(command_ids[n], 'UTF8')
            || int4send(octet_length(actors[n])) || convert_to(actors[n], 'UTF8')
            || int4send(octet_length(digits)) || convert_to(digits, 'UTF8')
            || int4send(octet_length(commands[n])) || convert_to(commands[n], 'UTF8');
        for w in firsts[n] .. lasts[n] loop
            last_seq := last_seq + 1;
            versions[places[w]] := versions[places[w]] + 1;
            digits := last_seq::text;
            last_hash := int4send(32) || last_hash
                || int4send(octet_length(digits)) || convert_to(digits, 'UTF8')
                || int4send(octet_length(streams[places[w]])) || convert_to(streams[places[w]], 'UTF8');
            digits := versions[places[w]]::text;
            last_hash := sha256(last_hash
                || int4send(octet_length(digits)) || convert_to(digits, 'UTF8')
                || command_fields
                || int4send(octet_length(bodies[w])) || convert_to(bodies[w], 'UTF8'));
            requests_done := requests_done || n;
            writes_done := writes_done || w;
            seqs_done := seqs_done || last_seq;
            versions_done := versions_done || versions[places[w]];
            hashes_done := hashes_done || last_hash;
        end loop;
    end loop;
    if cardinality(seqs_done) > 0 then
        insert into entry
            select d.seq, streams[places[d.w]], d.version, command_ids[d.n], actors[d.n],
                   recorded_ats[d.n], commands[d.n], bodies[d.w], d.hash
            from unnest(requests_done, writes_done, seqs_done, versions_done, hashes_done)
                 d (n, w, seq, version, hash);
        perform pg_notify('riverboat_ledger', last_seq::text);
        return query
            select d.n, 'done', d.w, d.seq, d.version, d.hash
            from unnest(requests_done, writes_done, seqs_done, versions_done, hashes_done)
                 d (n, w, seq, version, hash);
    end if;
end
$$;
