"""Who is caught unawares, by what plan, and what he makes of it."""
