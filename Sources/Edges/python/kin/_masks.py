"""Masked arrays where no value may be missing."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from kin.errors import InvalidArgument

Values = TypeVar("Values")


def unmasked(values: Values, name: str) -> Values:
    """The values, none of which a masked array may mask: what a mask hides is no number."""
    if isinstance(values, np.ma.MaskedArray):
        masked = np.argwhere(np.atleast_1d(np.ma.getmaskarray(values)))
        if len(masked):
            raise InvalidArgument(f"{name}: row {masked[0][0]} is masked; fill it in, or leave the row out")
    return values
