#include "cardan/program/internal/executable_pages.hpp"

#include <sys/mman.h>
#include <unistd.h>
#include <cstring>

namespace cardan::program {

std::shared_ptr<const void> executable_copy(std::span<const std::byte> code) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t size = (code.size() + page - 1) / page * page;
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  std::shared_ptr<const void> pages(memory, [size](const void* p) { munmap(const_cast<void*>(p), size); });
  std::memcpy(memory, code.data(), code.size());
  return mprotect(memory, size, PROT_READ | PROT_EXEC) == 0 ? pages : nullptr;
}

}  // namespace cardan::program
