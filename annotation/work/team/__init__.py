"""The work of teams: what members are given, how memberships end and calibrations are released."""
