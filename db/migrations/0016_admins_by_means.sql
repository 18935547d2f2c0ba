-- By what somebody became an admin whom no admin made one: the setting ADMIN_EMAILS, at a sign-in whose address is kept,
-- or the command line. Null: an admin did it (`changed_by`), or nobody noted it at the time.
alter table role_changes add column means text check (means in ('settings', 'command'));
alter table role_changes add constraint role_changes_by_one_means check (means is null or changed_by is null);
