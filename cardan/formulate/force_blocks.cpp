#include "cardan/formulate/force_blocks.hpp"

namespace cardan {

ForceBlocks::ForceBlocks(const Forces& forces) : forces_(forces) {
  for (const auto& force : forces) {
    Block block;
    block.touches = force->touches();
    block.tangent.resize(block.touches);
    block.added = block.tangent.K;
    blocks_.push_back(std::move(block));
  }
}

std::vector<Touches> ForceBlocks::all_touches() const {
  std::vector<Touches> out;
  for (const Block& block : blocks_) out.push_back(block.touches);
  return out;
}

void ForceBlocks::evaluate_definite(const Instant& at, std::span<const int> first_state) {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    Block& block = blocks_[i];
    block.tangent.K.setZero();
    block.tangent.D.setZero();
    const Instant own{
        at.model, at.t, at.q, at.v, VectorView<const double>(at.z.data() + first_state[i], block.touches.states),
        at.bodies};
    forces_[i]->add_definite_tangent(own, block.tangent);
  }
}

void ForceBlocks::set_step(double h) {
  for (Block& block : blocks_) block.added = -h * block.tangent.D - (h * h) * block.tangent.K;
}

}  // namespace cardan
