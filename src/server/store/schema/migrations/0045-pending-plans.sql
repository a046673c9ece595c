-- Plans that wait for a day, which a server looks for every ten seconds.
create index status_quarantine_pending on status_quarantine (observed_at) where reason = 'day-pending';
