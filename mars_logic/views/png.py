"""Pictures as PNG files."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from PIL import Image

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def png(pixels: NDArray[np.uint8]) -> bytes:
    """A picture, uint8[height, width, 3 or 4], as the content of a PNG file."""
    buffer = BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()
