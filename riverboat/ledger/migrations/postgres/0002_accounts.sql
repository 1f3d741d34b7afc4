create table door_account (
    name text collate "C" primary key,
    folded_name text collate "C" not null unique, -- Two names that look alike are one account.
    door text not null,
    password text not null,
    must_change integer not null,
    closed integer not null
);

create table door_session (
    token text collate "C" primary key,
    name text collate "C" not null,
    door text not null,
    demo integer not null,
    expires_at bigint not null
);

create table door_presence (
    place text collate "C" not null,
    name text collate "C" not null,
    seen_at bigint not null,
    primary key (place, name)
);

-- Wrong passwords: so many since the count began, by name, address or both; only a hash of these.
create table door_try (
    what text collate "C" primary key,
    tries integer not null,
    ends_at bigint not null
);

create index door_try_ends on door_try (ends_at);

-- Browsers in which somebody has signed in: nobody else locks them out there.
create table door_browser (
    token text collate "C" not null,
    name text collate "C" not null,
    expires_at bigint not null,
    primary key (token, name)
);
