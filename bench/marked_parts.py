"""Parts of the pages in docs/ that scripts write: each lies between `<!-- its name -->` and `<!-- end -->`."""


def replaced(page: str, name: str, text: str) -> str:
    """Returns the page with a new text in one part."""
    before, rest = page.split(f"<!-- {name} -->\n")
    _, after = rest.split("<!-- end -->", 1)
    return f"{before}<!-- {name} -->\n\n{text}\n\n<!-- end -->{after}"


def replaced_within(page: str, name: str, text: str) -> str:
    """Returns the page with a new text in one part of a sentence."""
    before, rest = page.split(f"<!-- {name} -->")
    _, after = rest.split("<!-- end -->", 1)
    return f"{before}<!-- {name} -->{text}<!-- end -->{after}"
