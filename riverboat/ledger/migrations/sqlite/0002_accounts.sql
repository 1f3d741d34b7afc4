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
