"""Programs: how they are made up, what they run among, and what none of them may reach."""
