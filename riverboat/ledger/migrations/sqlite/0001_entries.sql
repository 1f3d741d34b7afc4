create table schema_step (
    number integer primary key,
    name text not null,
    sha256 text not null
) strict;

create table entry (
    seq integer primary key,
    stream text not null,
    version integer not null,
    command_id text not null,
    actor text not null,
    recorded_at integer not null,
    command text not null,
    body text not null,
    hash blob not null check (length(hash) = 32),
    unique (stream, version),
    unique (command_id, stream)
) strict;

create table signed_head (
    number integer primary key,
    seq integer not null,
    hash blob not null,
    signed_at integer not null,
    public_key blob not null,
    signature blob not null
) strict;

-- Nothing but the next row: this also stops INSERT OR REPLACE, whose deletions fire no delete trigger.
create trigger entry_is_next before insert on entry
when new.seq is not (select coalesce(max(seq), 0) + 1 from entry)
    or new.version is not (select coalesce(max(version), 0) + 1 from entry where stream = new.stream)
    or exists (select 1 from entry where command_id = new.command_id and stream = new.stream)
begin
    select raise(abort, 'the ledger takes only the next row');
end;

create trigger entry_stays before update on entry
begin
    select raise(abort, 'the ledger is append-only');
end;

create trigger entry_remains before delete on entry
begin
    select raise(abort, 'the ledger is append-only');
end;

create trigger head_is_next before insert on signed_head
when new.number is not (select coalesce(max(number), 0) + 1 from signed_head)
begin
    select raise(abort, 'the ledger takes only the next head');
end;

create trigger head_stays before update on signed_head
begin
    select raise(abort, 'signed heads are append-only');
end;

create trigger head_remains before delete on signed_head
begin
    select raise(abort, 'signed heads are append-only');
end;
