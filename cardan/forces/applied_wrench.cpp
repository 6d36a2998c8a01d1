#include "cardan/forces/applied_wrench.hpp"

#include <stdexcept>

namespace cardan {

AppliedWrench AppliedWrench::on(const Model& model) const {
  if (frame < 0 || frame >= model.frames())
    throw std::invalid_argument("system: a force acts on a frame that the model does not have");
  const Frame& f = model.frame(frame);
  if (f.body == 0) throw std::invalid_argument("system: a force acts on \"" + f.name + "\", which is fixed");
  if (wrench.size() != 6) throw std::invalid_argument("system: a force must have 6 entries, moment and force");
  AppliedWrench out = *this;
  out.body = f.body;
  out.X = f.X;
  out.label = f.name;
  return out;
}

}  // namespace cardan
