-- PostgreSQL alone is told how often values stand in messages; both engines have the same steps.
SELECT 1;
