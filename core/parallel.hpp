// A few threads that share a row of tasks.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace planetree {

// Runs task 0 .. n-1, each once, on the calling thread and n_threads - 1 others. Which thread takes which task is
// chance; what the tasks write must not depend on it.
class Workers {
  public:
    explicit Workers(std::size_t n_threads);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    std::size_t size() const { return threads_.size() + 1; }

    // `work(worker, task)`; an exception of a task is rethrown here, after all have ended.
    void run(std::size_t n_tasks, const std::function<void(std::size_t, std::size_t)>& work);

  private:
    void serve(std::size_t worker);
    void take_tasks(std::size_t worker);

    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable called_, finished_;
    const std::function<void(std::size_t, std::size_t)>* work_ = nullptr;
    std::atomic<std::size_t> next_{0};
    std::size_t n_tasks_ = 0;
    std::size_t busy_ = 0;
    std::size_t call_ = 0;
    std::exception_ptr error_;
    bool closing_ = false;
};

}  // namespace planetree
