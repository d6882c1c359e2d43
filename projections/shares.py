"""An amount shared by weight, to the last unit."""

from collections.abc import Sequence


def shares(amount: int, weights: Sequence[int]) -> list[int]:
    """The amount in whole units, as the weights stand to each other; what is left goes to the largest remainders.

    The parts sum to `amount` exactly. Of equal remainders the one that stands first is served first. ValueError where
    there is something to share and no weight above 0.
    """
    whole = sum(weights)
    if not whole:
        if amount:
            raise ValueError(f"{amount} can't be shared among weights that sum to 0")
        return [0] * len(weights)
    parts = [amount * weight // whole for weight in weights]
    rests = [amount * weight % whole for weight in weights]
    largest_first = sorted(range(len(weights)), key=lambda place: -rests[place])
    for place in largest_first[: amount - sum(parts)]:
        parts[place] += 1
    return parts
