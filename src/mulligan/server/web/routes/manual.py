"""Routes: the manual, which `make docs` builds."""

from litestar import Response, route
from litestar.params import FromPath

from mulligan.server.web.base_path import MOVED
from mulligan.server.web.config import Config
from mulligan.server.web.static_files import ASK_AGAIN, INDEX, NO_MANUAL, Item, StaticFiles

from .client import LOOKING, PAGES_AND_FILES, page, send
from .shared import Asked

NOT_BUILT = Item(NO_MANUAL, "text/html", '"no-manual"', ASK_AGAIN)


@route(["/docs", "/docs/{path:path}"], http_method=LOOKING, include_in_schema=False, opt=PAGES_AND_FILES)
async def show_manual(request: Asked, path: FromPath[str] = "") -> Response[bytes]:
    """A page or file of the manual; how to build it if it is missing; the client's page where it has nothing."""
    manual: StaticFiles = request.app.state.manual
    manual.refresh()
    if INDEX not in manual.items:
        return send(request, NOT_BUILT, 404)
    path = path.strip("/")
    if item := manual.items.get(path):
        return send(request, item, 200)
    if not (item := manual.items.get(f"{path}/{INDEX}".lstrip("/"))):
        return await page(request, f"docs/{path}")
    if request.scope["raw_path"].endswith(b"/"):
        return send(request, item, 200)
    config: Config = request.app.state.config  # the links of a folder's page begin at the folder
    return Response(b"", status_code=MOVED, headers={"location": f"{config.base_path}/docs/{path}/".replace("//", "/")})
