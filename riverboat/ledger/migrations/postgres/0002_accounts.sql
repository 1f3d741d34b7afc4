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
