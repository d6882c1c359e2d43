"""The warehouse: every decision, hand and result as Parquet, written from the log and asked with DuckDB.

For questions that need every action, such as "A folded to B". It can be thrown away and made again from the log.
"""
