-- The files of a picture are stored before its row and removed before it is deleted (decision 44).

alter table picture_files drop constraint picture_files_hash_fkey;
