"""Rigid-body dynamics with joints that you can invent.

    import cardan
    model = cardan.load("ur5.urdf")
    a = model.forward_dynamics(q, v, tau)          # numpy in and out, any leading axes

    run = cardan.simulate("scene.toml", duration=2)
    run["q.elbow"], run.t, run.plot(), run.view()

Angular parts come first, quaternions are (w, x, y, z), units are SI.
"""

from ._cardan import Error
from .builder import ModelBuilder
from .control import Linearization, linearization, lqr
from .model import (
    Model,
    bias,
    forward_dynamics,
    forward_dynamics_derivatives,
    gravity,
    inverse_dynamics,
    inverse_dynamics_derivatives,
    load,
    mass_matrix,
)
from .gradients import Optimum, gradient, optimize
from .kinematics import ik
from .rollouts import Rollout, rollout
from .scene import Scene
from .simulator import Simulator, State
from .sweeps import Sweep, sweep
from .symbols import (
    Symbol,
    Transform,
    abs,
    acos,
    asin,
    atan,
    atan2,
    cos,
    cosh,
    exp,
    frame,
    inv,
    log,
    max,
    min,
    rot,
    rotx,
    roty,
    rotz,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    trans,
    twist,
)
from .trajectory import Trajectory, simulate

__version__ = "0.2.0"
