#include "cardan/joints/internal/parse_transform.hpp"

#include "cardan/symbolic/internal/expression_parser.hpp"

namespace cardan {

namespace {

class TransformParser : private ExpressionParser {
 public:
  using ExpressionParser::ExpressionParser;

  MotionProduct whole() {
    MotionProduct p = product();
    tokens().expect_end();
    return p;
  }

 private:
  MotionProduct product() {
    const Level level(*this);
    MotionProduct p = factor();
    while (tokens().accept("*")) p = std::move(p) * factor();
    return p;
  }
  MotionProduct factor() {
    const Token name = tokens().expect_name("trans, rotx, roty, rotz, rot, twist, frame or inv");
    tokens().expect("(");
    if (name.text == "trans") {
      const auto a = arguments(name, 3);
      return shift({a[0], a[1], a[2]});
    }
    if (name.text == "rotx") return turn(0, arguments(name, 1)[0]);
    if (name.text == "roty") return turn(1, arguments(name, 1)[0]);
    if (name.text == "rotz") return turn(2, arguments(name, 1)[0]);
    if (name.text == "rot") return turn_about(name, arguments(name, 4));
    if (name.text == "twist") {
      const auto a = arguments(name, 6);
      return exp_se3(Vec3<Expr>{a[0], a[1], a[2]}, Vec3<Expr>{a[3], a[4], a[5]});
    }
    if (name.text == "frame") {
      const auto a = arguments(name, 12);
      return Pose<Expr>{mat3<Expr>(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]),
                        Vec3<Expr>{a[9], a[10], a[11]}};
    }
    if (name.text == "inv") {
      const MotionProduct p = product();
      tokens().expect(")");
      return inverse(p);
    }
    tokens().fail_at(name,
                     "unknown transform " + name.quoted() +
                         suggestion(name.text, {"trans", "rotx", "roty", "rotz", "rot", "twist", "frame", "inv"}));
  }
  /// Rodrigues' formula about an axis of any length.
  MotionProduct turn_about(const Token& name, const std::vector<Expr>& a) {
    const Expr length = norm(Vec3<Expr>{a[0], a[1], a[2]});
    if (length.is(0.0)) tokens().fail_at(name, "the axis of \"rot\" has zero length");
    const Vec3<Expr> axis{a[0] / length, a[1] / length, a[2] / length};
    const Expr half = sin(Expr(0.5) * a[3]);
    MotionFactor factor;
    factor.base.R = detail::rodrigues<Expr>(sin(a[3]), Expr(2.0) * half * half, axis);
    if (a[0].is_constant() && a[1].is_constant() && a[2].is_constant()) {
      factor.kind = MotionFactor::Kind::screw;
      factor.twist.angular = axis;
      factor.amount = a[3];
    }
    return factor;
  }
};

}  // namespace

MotionProduct parse_transform(std::string_view text, const Symbols& symbols, const ParseLimits& limits) {
  return TransformParser(text, symbols, limits).whole();
}

}  // namespace cardan
