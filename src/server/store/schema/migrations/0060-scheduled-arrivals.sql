-- Arrivals of an airport in a few hours: the index by departure reads all flights to it of three days, twenty times as many.
create index flight_instance_arrives_at on flight_instance (arrival, arrives_at);
