-- An earlier text of 0015 had one trigger for the old and the new rows of an update. This gives both kinds of databases the same triggers.
drop trigger page_updated on flight_instance;
drop trigger if exists page_updated_from on flight_instance;
drop function if exists page_change_instances_updated();

create trigger page_updated_from after update on flight_instance
  referencing old table as changed for each statement execute function page_change_instances();
create trigger page_updated after update on flight_instance
  referencing new table as changed for each statement execute function page_change_instances();
