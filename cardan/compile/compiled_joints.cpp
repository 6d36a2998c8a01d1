#include "cardan/compile/compiled_joints.hpp"

namespace cardan {

namespace {

/// The joint's pose, S and c_J as a program of q and v.
Program program_of(const ExpressionJoint& joint) {
  Graph graph;
  const Tracing to(graph);
  const int n = joint.nv();
  std::vector<Expr> in;
  for (int i = 0; i < 2 * n; ++i) in.push_back(graph.input(i));
  return make_program(graph, {{2 * n}, {joint.evaluate(in)}});
}

void compile_joint(Joint& joint, InstructionSet set) {
  if (auto* composite = std::get_if<Composite>(&joint.type))
    for (Joint& part : composite->joints) compile_joint(part, set);
  if (auto* expression = std::get_if<ExpressionJoint>(&joint.type)) {
    const MachineCode code(program_of(*expression), set);
    if (code.scratch() <= ExpressionJoint::kMostSlots) expression->use_code({code.entry(), code.pages()});
  }
}

}  // namespace

Model with_compiled_joints(const Model& model, const ExecutableOptions& options) {
  if (options.backend == Backend::interpreter || !machine_code_is_possible()) return model;
  const InstructionSet set = options.set.value_or(best_instruction_set());
  return model.with_joints([&](Joint& joint) { compile_joint(joint, set); });
}

}  // namespace cardan
