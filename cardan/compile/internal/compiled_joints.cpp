#include "cardan/compile/internal/compiled_joints.hpp"

namespace cardan {

namespace {

void compile_joint(Joint& joint, InstructionSet set) {
  if (auto* composite = std::get_if<Composite>(&joint.type))
    for (Joint& part : composite->joints) compile_joint(part, set);
  if (auto* expression = std::get_if<ExpressionJoint>(&joint.type)) {
    const MachineCode code(expression->program(), set);
    if (code.scratch() <= ExpressionJoint::kMostSlots) expression->use_code({code.entry(), code.pages(), code.bytes()});
  }
}

std::size_t code_bytes_of(const Joint& joint) {
  if (const auto* expression = std::get_if<ExpressionJoint>(&joint.type)) return expression->code_bytes();
  std::size_t sum = 0;
  if (const auto* composite = std::get_if<Composite>(&joint.type))
    for (const Joint& part : composite->joints) sum += code_bytes_of(part);
  return sum;
}

}  // namespace

std::size_t joint_code_bytes(const Model& model) {
  std::size_t sum = 0;
  for (int body = 1; body <= model.bodies(); ++body) sum += code_bytes_of(model.joint(body));
  return sum;
}

Model with_compiled_joints(const Model& model, const ExecutableOptions& options) {
  if (options.backend == Backend::interpreter || !machine_code_is_possible()) return model;
  const InstructionSet set = options.set.value_or(best_instruction_set());
  return model.with_joints([&](Joint& joint) { compile_joint(joint, set); });
}

}  // namespace cardan
