"""What can go wrong with a store of views."""


class StoreError(Exception):
    """Something is wrong with the store; the sentence says what, and what would be right."""


class Gap(StoreError):
    """Commits are missing between those that were folded and the one that was given."""


class OutOfDate(StoreError):
    """The store's views are of another revision than this build's."""
