-- works with: 20261123074100_bike_references.sql

alter table variants validate constraint variants_size_check;
alter table variants validate constraint variants_colour_check;
alter table product_pictures validate constraint product_pictures_colour_check;
