create table door_account (
    name text primary key,
    folded_name text not null unique, -- Two names that look alike are one account.
    door text not null,
    password text not null,
    must_change integer not null,
    closed integer not null
) strict;

create table door_session (
    token text primary key,
    name text not null,
    door text not null,
    demo integer not null,
    expires_at integer not null
) strict;

create table door_presence (
    place text not null,
    name text not null,
    seen_at integer not null,
    primary key (place, name)
) strict;

-- Wrong passwords: so many since the count began, by name, address or both; only a hash of these.
create table door_try (
    what text primary key,
    tries integer not null,
    ends_at integer not null
) strict;

create index door_try_ends on door_try (ends_at);

-- Browsers in which somebody has signed in: nobody else locks them out there.
create table door_browser (
    token text not null,
    name text not null,
    expires_at integer not null,
    primary key (token, name)
) strict;
