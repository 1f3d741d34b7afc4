"""Every part of the machine interface."""

from typing import Final

from litestar import Controller

from riverboat.web.api.accounts import AccountsController, DealersController
from riverboat.web.api.dealing import DealingController
from riverboat.web.api.entrance import EntranceController
from riverboat.web.api.evidence import EvidenceController
from riverboat.web.api.mathematics import MathematicsController
from riverboat.web.api.meters import MetersController
from riverboat.web.api.payouts import PayoutsController
from riverboat.web.api.pictures import PicturesController
from riverboat.web.api.rounds import RoundsController
from riverboat.web.api.rulebooks import RulebooksController
from riverboat.web.api.tables import TablesController
from riverboat.web.api.worklist import WorklistController

CONTROLLERS: Final[tuple[type[Controller], ...]] = (
    EntranceController,
    TablesController,
    RoundsController,
    MetersController,
    WorklistController,
    RulebooksController,
    MathematicsController,
    PayoutsController,
    AccountsController,
    DealersController,
    DealingController,
    PicturesController,
    EvidenceController,
)
