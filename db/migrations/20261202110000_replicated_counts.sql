-- works with: 20261123074100_bike_references.sql

-- A table without a primary key needs it for deletes, if a publication of all tables replicates it to a new server.
alter table product_counts replica identity full;
